// The official clients and the official conformance suite against the running server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { patience, startServer } from './harness.mjs';

const run = promisify(execFile);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SUITE = here('../node_modules/@modelcontextprotocol/conformance/dist/index.js');

let server;
before(async () => {
    server = await startServer();
});
after(() => server?.stop());

const endpoint = () => new URL(`${server.origin}/mcp`);

/** Everything that a client does; the SDK validates structured content against the tool's own schema. */
async function useEverything(client) {
    const { tools } = await client.listTools();
    assert.equal(tools.length, 8);
    const found = await client.callTool({ name: 'find_sandboxes', arguments: { where: { isolation: 'microvm', gpu: true } } });
    assert.ok(found.structuredContent.matches.length > 0);
    const full = await client.callTool({ name: 'get_provider', arguments: { slug: 'e2b', detail: 'full' } });
    assert.equal(full.structuredContent.provider.facts.isolation.text, 'microVM');
    assert.equal((await client.callTool({ name: 'get_provider', arguments: { slug: 'nobody' } })).isError, true);
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[0].uri });
    assert.match(contents[0].text, /^# /);
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 3);
    const { prompts } = await client.listPrompts();
    const { messages } = await client.getPrompt({ name: prompts[0].name, arguments: { must: 'gpu=true' } });
    assert.match(messages[0].content.text, /Decision record/);
    await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), /no tool/);
}

describe('the official TypeScript clients', () => {
    test('with initialize', async () => {
        const client = new OldClient({ name: 'test', version: '1' });
        await client.connect(new OldTransport(endpoint()));
        assert.equal(client.getServerVersion().name, 'agent-sandboxes');
        await client.ping();
        await useEverything(client);
        await client.close();
    });

    test('stateless', async () => {
        const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
        await client.connect(new StreamableHTTPClientTransport(endpoint()));
        await useEverything(client);
        await client.close();
    });

    test('whichever both know', async () => {
        const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
        await client.connect(new StreamableHTTPClientTransport(endpoint()));
        await useEverything(client);
        await client.close();
    });
});

// The Inspector 2 wants Node 22; the command-line client of its first line is a package of its own and runs on 20. It looks for its own
// package.json in the folder that it is started from.
test('the command line of the official Inspector', async () => {
    const folder = here('../node_modules/@modelcontextprotocol/inspector-cli/build');
    const inspect = async (...args) => JSON.parse((await run(process.execPath, ['index.js', endpoint().href, '--transport', 'http', ...args], { cwd: folder, timeout: patience(60_000) })).stdout);
    const { tools } = await inspect('--method', 'tools/list');
    assert.equal(tools.length, 8);
    const { structuredContent, isError } = await inspect('--method', 'tools/call', '--tool-name', 'find_sandboxes', '--tool-arg', 'where={"isolation":"microvm"}', 'limit=3');
    assert.equal(isError, undefined);
    assert.ok(structuredContent.matches.length > 0);
    const { resources } = await inspect('--method', 'resources/list');
    const { contents } = await inspect('--method', 'resources/read', '--uri', resources[0].uri);
    assert.match(contents[0].text, /^# /);
    const { messages } = await inspect('--method', 'prompts/get', '--prompt-name', 'decision_record', '--prompt-args', 'must=gpu=true');
    assert.match(messages[0].content.text, /Decision record/);
});

const LISTS = ['tools-list', 'resources-list', 'prompts-list'];
const RUN = {
    '2025-06-18': ['server-initialize', 'ping', ...LISTS],
    '2025-11-25': ['server-initialize', 'ping', ...LISTS, 'dns-rebinding-protection'],
    '2026-07-28': ['server-stateless', ...LISTS, 'sep-2164-resource-not-found', 'dns-rebinding-protection', 'caching', 'http-header-validation', 'server-sse-multiple-streams', 'input-required-result-unsupported-methods', 'input-required-result-ignore-extra-params'],
};
const LEFT_OUT = [
    // They ask for the suite's own fixtures: tools, resources and prompts named test_*.
    /^(tools-call|resources-read|resources-templates-read|prompts-get|json-schema-2020-12|http-custom-header)/,
    /^input-required-result-(basic|request-state|multi|missing|non-tool|result-type|tampered|capability|validate)/,
    // This server does not offer, nor declare: logging, completion, subscriptions, elicitation, sessions, streams that are polled.
    /^(logging|completion|resources-(un)?subscribe|elicitation|server-session|server-sse)/,
];
const suite = (...args) => run(process.execPath, ['--import', here('./conformance_node20.mjs'), SUITE, ...args], { maxBuffer: 1 << 26, timeout: patience(60_000) });

describe('the official conformance suite', () => {
    test('every scenario for a server is run, or left out for a reason', async () => {
        const { stdout } = await suite('list');
        const listed = [...stdout.split('Client scenarios')[0].matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].flatMap(([, name, versions]) => versions.split(',').map((version) => ({ name, version })));
        assert.ok(listed.length > 50);
        for (const [version, names] of Object.entries(RUN)) {
            const asked = listed.filter((one) => one.version === version).map(({ name }) => name);
            assert.deepEqual(names.filter((name) => !asked.includes(name)), [], version);
            assert.deepEqual(asked.filter((name) => !names.includes(name) && !LEFT_OUT.some((pattern) => pattern.test(name))), [], version);
        }
    });

    for (const [version, scenarios] of Object.entries(RUN)) {
        for (const scenario of scenarios) {
            test(`${version}: ${scenario}`, async () => {
                const { stdout } = await suite('server', '--url', endpoint().href, '--spec-version', version, '--scenario', scenario, '--verbose').catch((error) => error);
                const from = stdout.indexOf('\n[\n');
                const checks = JSON.parse(stdout.slice(from, stdout.lastIndexOf('\n]') + 2));
                // "Not testable" wants one of the suite's own test_* tools, which no real server has.
                const failed = checks.filter(({ status, errorMessage }) => status === 'FAILURE' && !/^Not testable/.test(errorMessage));
                assert.deepEqual(failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`), []);
                assert.ok(checks.some(({ status }) => status === 'SUCCESS'));
            });
        }
    }
});
