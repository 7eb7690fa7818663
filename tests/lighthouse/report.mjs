// Run by scripts/lighthouse: prints the scores and what costs points, and keeps the reports in screenshots/.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startServer, TOP } from '../http/harness.mjs';
import { PAGES, withLighthouse } from './measure.mjs';

const folder = path.join(TOP, 'screenshots');
await mkdir(folder, { recursive: true });
const server = await startServer();
try {
    await withLighthouse(async (measure) => {
        for (const page of process.argv.length > 2 ? process.argv.slice(2) : PAGES) {
            const { scores, faults, report } = await measure(server.origin + page);
            console.log(page, Object.entries(scores).map(([name, score]) => `${name} ${score}`).join(', '));
            faults.forEach((fault) => console.log(`    ${fault}`));
            await writeFile(path.join(folder, `lighthouse${page.replace(/[^a-z0-9]+/g, '-').replace(/-$/, '')}.html`), report);
        }
    });
} finally {
    await server.stop();
}
