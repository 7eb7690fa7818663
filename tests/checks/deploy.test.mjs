// What docker/ deploys with: Compose files and Kubernetes objects fit their schemas, know no unknown field, and give nothing away that they need not.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import composeverter from 'composeverter';
import { parse, parseAllDocuments } from 'yaml';

const TOP = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const DOCKER = path.join(TOP, 'docker');
const read = (...names) => readFileSync(path.join(DOCKER, ...names), 'utf8');
/** A Compose file, with the defaults of its variables. */
const compose = (name) => parse(read(name).replace(/\$\{\w+:[-?]([^}]*)\}/g, '$1'), { merge: true });

/* ---- Compose ---- */

test('Compose files fit the specification', () => {
    // This copy of the schema has the slashes of a literal around its patterns.
    const schema = JSON.parse(JSON.stringify(composeverter.getDockerComposeSchemaWithoutFormats()), (key, value) => (key === 'pattern' ? String(value).replace(/^\/(\^.*\$)\/$/, '$1') : value));
    const fits = new Ajv({ strict: false, allErrors: true }).compile(schema);
    for (const name of ['compose.yaml', 'compose.scale.yaml']) {
        const file = compose(name);
        fits(file);
        assert.deepEqual(fits.errors, null, name);
        Object.values(file.services)[0].restarts = 'always';
        assert.equal(fits(file), false, 'the check can fail');
    }
});

test('every service is read-only, without capabilities and new privileges; the files that it mounts are there', () => {
    const one = compose('compose.yaml');
    for (const file of [one, compose('compose.scale.yaml')]) {
        for (const [name, service] of Object.entries(file.services)) {
            const whole = service.extends === undefined ? service : one.services[service.extends.service];
            assert.equal(whole.read_only, true, name);
            assert.deepEqual(whole.cap_drop, ['ALL'], name);
            assert.deepEqual(whole.security_opt, ['no-new-privileges:true'], name);
            for (const volume of whole.volumes ?? []) {
                const [from, , mode] = volume.split(':');
                assert.equal(mode, 'ro', volume);
                assert.ok(existsSync(path.join(DOCKER, from)) || /^\.\/(tls|replica\d)$/.test(from), volume);
            }
        }
        assert.equal(file.networks.inside.internal, true);
    }
});

test('serve takes the options that the files give it', () => {
    const program = path.join(TOP, process.env.AGENT_SANDBOXES ?? 'build/agent-sandboxes');
    const known = execFileSync(program, ['serve', '--help'], { encoding: 'utf8' });
    const commands = [compose('compose.yaml').services.site.command, compose('compose.scale.yaml').services.replica1.command, deployment(objects('catalogue-image')).spec.template.spec.containers[0].args];
    for (const [, ...options] of commands) {
        for (const option of options) {
            assert.match(known, new RegExp(` ${/^--[a-z-]+/.exec(option)[0]} `), option);
        }
    }
});

test('Compose and the tests of many machines start Varnish and HAProxy alike', () => {
    const { services } = compose('compose.scale.yaml');
    const set = readFileSync(path.join(TOP, 'tests/scale/set.mjs'), 'utf8');
    for (const parameter of services.site.command.filter((_, place, all) => all[place - 1] === '-p')) {
        assert.ok(set.includes(`'-p', '${parameter}'`), parameter);
    }
    assert.deepEqual(services.haproxy.command.slice(0, 2), ['haproxy', '-db']);
    assert.match(set, /'haproxy', \['-db'/);
});

/* ---- Kubernetes ---- */

const require = createRequire(import.meta.url);
const MODELS = path.join(TOP, 'tests/node_modules/kubernetes-models/_schemas');

/** The validator of an object's kind, as generated from the schemas of Kubernetes. */
function validatorOf({ apiVersion, kind }) {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
    const capital = (word) => word[0].toUpperCase() + word.slice(1);
    return require(`${MODELS}/IoK8sApi${capital(group.split('.')[0])}${capital(version)}${kind}.js`).validate;
}

/** The fields of an object that a validator never looks at: those that its schema does not know. */
function watched(value, at, unseen) {
    if (value === null || typeof value !== 'object') {
        return value;
    }
    const fields = Object.fromEntries(Object.entries(value).map(([key, below]) => [key, watched(below, `${at}/${key}`, unseen)]));
    const target = Array.isArray(value) ? Object.values(fields) : fields;
    Object.keys(value).forEach((key) => unseen.add(`${at}/${key}`));
    return new Proxy(target, {
        get(from, key) {
            unseen.delete(`${at}/${String(key)}`);
            return from[key];
        },
    });
}

function faultsOf(object) {
    const validate = validatorOf(object);
    const faults = validate(object) ? [] : validate.errors.map(({ instancePath, keyword }) => `${instancePath}: ${keyword}`);
    const unseen = new Set();
    validate(watched(object, '', unseen));
    return [...faults, ...[...unseen].map((field) => `${field} is unknown`)];
}

const canBuild = spawnSync('kubectl', ['kustomize', '--help']).status === 0;

/** What an overlay makes; without kubectl, the objects of the base. */
function objects(overlay) {
    const text = canBuild
        ? execFileSync('kubectl', ['kustomize', path.join(DOCKER, 'kubernetes/overlays', overlay)], { encoding: 'utf8' })
        : parse(read('kubernetes/base/kustomization.yaml')).resources.map((name) => read('kubernetes/base', name)).join('---\n');
    return parseAllDocuments(text).map((document) => document.toJS());
}
const deployment = (all) => all.find(({ kind }) => kind === 'Deployment');

const OVERLAYS = readdirSync(path.join(DOCKER, 'kubernetes/overlays'));

test('every object fits the schema of its kind and has no unknown field', { skip: canBuild ? false : 'kubectl is not here: only the base is seen' }, () => {
    for (const overlay of OVERLAYS) {
        const all = objects(overlay);
        assert.deepEqual(all.map(({ kind }) => kind).sort(), ['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'Namespace', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount']);
        for (const object of all) {
            assert.deepEqual(faultsOf(object), [], `${overlay}: ${object.kind}`);
        }
    }
});

test('the check of objects can fail', () => {
    const wrong = structuredClone(deployment(objects('built-in')));
    wrong.spec.selector ??= { matchLabels: {} };
    wrong.spec.template.spec.containers[0].readOnlyRootFilesystem = true;
    wrong.spec.template.spec.containers[0].ports[0].containerPort = 'http';
    assert.deepEqual(faultsOf(wrong), [
        '/spec/template/spec/containers/0/ports/0/containerPort: type',
        '/spec/template/spec/containers/0/readOnlyRootFilesystem is unknown',
    ]);
});

test('pods meet the restricted standard, and may ask nobody', () => {
    for (const overlay of OVERLAYS) {
        const all = objects(overlay);
        const find = (kind) => all.find((object) => object.kind === kind);
        const { spec } = deployment(all).spec.template;
        assert.equal(spec.securityContext.runAsNonRoot, true);
        assert.deepEqual(spec.securityContext.seccompProfile, { type: 'RuntimeDefault' });
        assert.equal(spec.automountServiceAccountToken, false);
        for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers']) {
            assert.equal(spec[field], undefined, field);
        }
        for (const { securityContext, image, ports } of spec.containers) {
            assert.deepEqual(securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
            assert.ok(!image.endsWith(':latest'), image);
            assert.ok(ports.every(({ hostPort }) => hostPort === undefined));
        }
        assert.ok((spec.volumes ?? []).every((volume) => Object.keys(volume).every((key) => ['name', 'image'].includes(key))));
        assert.equal(find('Namespace').metadata.labels['pod-security.kubernetes.io/enforce'], 'restricted');
        const { spec: policy } = find('NetworkPolicy');
        assert.deepEqual(policy.egress, []);
        assert.deepEqual(policy.policyTypes.sort(), ['Egress', 'Ingress']);
    }
});

test('service, budget, policy and autoscaler mean the pods of the deployment', { skip: !canBuild }, () => {
    const all = objects('catalogue-image');
    const find = (kind) => all.find((object) => object.kind === kind);
    const { labels } = deployment(all).spec.template.metadata;
    for (const selector of [deployment(all).spec.selector.matchLabels, find('Service').spec.selector, find('PodDisruptionBudget').spec.selector.matchLabels, find('NetworkPolicy').spec.podSelector.matchLabels]) {
        assert.ok(Object.keys(selector).length > 0);
        Object.entries(selector).forEach(([key, value]) => assert.equal(labels[key], value));
    }
    assert.equal(find('HorizontalPodAutoscaler').spec.scaleTargetRef.name, deployment(all).metadata.name);
    const [container] = deployment(all).spec.template.spec.containers;
    const ports = container.ports.map(({ name }) => name);
    assert.ok(find('Service').spec.ports.every(({ targetPort }) => ports.includes(targetPort)));
    assert.equal(container.envFrom[0].configMapRef.name, find('ConfigMap').metadata.name);
    assert.ok(container.args.includes('--db=/catalogue/catalogue.db'));
});
