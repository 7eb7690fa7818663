// The conformance suite imports a name that Node has only since version 22, and uses it for nothing that is asked for here.
// Loaded with --import, this lets it run on Node 20.
import fs from 'node:fs';
import { register } from 'node:module';

if (fs.globSync === undefined) {
    const hook = `export async function load(url, context, next) {
        const loaded = await next(url, context);
        if (!url.includes('/@modelcontextprotocol/conformance/dist/index.js')) return loaded;
        const source = loaded.source.toString();
        const name = /globSync as (\\w+),/.exec(source)[1];
        return { ...loaded, source: source.replace(/globSync as \\w+,/, '') + '\\nfunction ' + name + '() { return []; }' };
    }`;
    register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
