// What is promised to machines (/data/api/, "What is promised") is written down in contract.json: addresses with their parameters, forms and
// methods, types of problem, columns of the CSV files, tools and what they take. Whoever changes it on purpose writes it anew:
//     WRITE_CONTRACT=1 node --test http/contract.test.mjs
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { startServer } from './harness.mjs';

const FILE = new URL('./contract.json', import.meta.url);

let server;
before(async () => {
    server = await startServer();
});
after(() => server?.stop());

/** Attributes may come at any time, so that their parameters are no part of the contract. */
function operationOf({ paths, components }, attributes) {
    return Object.fromEntries(
        Object.entries(paths).map(([path, item]) => {
            const { parameters = [], responses } = item.get ?? item.post;
            const names = parameters.map((own) => (own.$ref ? components.parameters[own.$ref.split('/').at(-1)] : own).name);
            const own = names.filter((name) => !attributes.has(name.replace(/^(must|prefer|avoid|w)\.|__\w+$/g, '')));
            return [path, { methods: Object.keys(item), parameters: own.sort(), forms: Object.keys(responses['200'].content).sort() }];
        }),
    );
}

async function contract() {
    const api = (await server.get('/openapi.json')).json;
    const { attributes } = (await server.get('/data/providers.json')).json;
    const { text } = await server.get('/problems/');
    const sums = (await server.get('/data/SHA256SUMS')).text;
    const columns = {};
    for (const [name] of sums.matchAll(/\S+\.csv$/gm)) {
        columns[name] = (await server.get(`/data/${name}`)).text.replace(/^\ufeff/, '').split('\r\n')[0].split(',');
    }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { tools } = (await server.get('/mcp', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(message) })).json.result;
    return {
        version: api.info.version,
        addresses: operationOf(api, new Set(attributes.map(({ key }) => key))),
        problems: [...new Set([...text.matchAll(/href="\/problems\/([a-z-]+)"/g)].map(([, type]) => type))].sort(),
        columns,
        tools: Object.fromEntries(tools.map(({ name, inputSchema }) => [name, { takes: Object.keys(inputSchema.properties).sort(), needs: inputSchema.required ?? [] }])),
    };
}

test('addresses, parameters, problems, columns and tools are those of the contract', async () => {
    const found = await contract();
    assert.ok(found.problems.length > 3 && Object.keys(found.columns).length > 3);
    if (process.env.WRITE_CONTRACT === '1') {
        writeFileSync(FILE, `${JSON.stringify(found, null, 1)}\n`);
    }
    assert.deepEqual(found, JSON.parse(readFileSync(FILE, 'utf8')));
});
