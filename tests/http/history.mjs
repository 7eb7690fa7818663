// A catalogue with a past, made from the seed: what it was on each day can be built as a catalogue of its own.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { run, startServer, TOP } from './harness.mjs';

/** The days on which something changed; on the first everything but Koyeb was recorded. */
export const DAYS = ['2026-03-01', '2026-05-01', '2026-06-01', '2026-07-01', '2026-09-01'];

const was = (fact, from, to) => `INSERT INTO fact VALUES (${fact}, NULL, 'e2b-docs-sandbox', 'vendor-stated', '${from}', '${from}', '${to}');`;

const PAST = [
    `UPDATE fact SET valid_from = '${DAYS[0]}';`,
    `UPDATE fact SET valid_from = '${DAYS[1]}' WHERE provider = 'koyeb';`,
    // E2B's price fell on 1 June, its GPUs went on 1 July.
    `UPDATE fact SET valid_from = '${DAYS[2]}' WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'price_vcpu_hour_usd';`,
    was("'e2b', NULL, 'price_vcpu_hour_usd', 'documented', '0.06', NULL", DAYS[0], DAYS[2]),
    `UPDATE fact SET valid_from = '${DAYS[3]}' WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'gpu';`,
    was("'e2b', NULL, 'gpu', 'documented', 'true', NULL", DAYS[0], DAYS[3]),
    // A source was swapped on 1 July; the value held.
    `UPDATE fact SET valid_from = '${DAYS[3]}' WHERE provider = 'e2b' AND offering IS NULL AND attribute = 'isolation';`,
    was(`'e2b', NULL, 'isolation', 'documented', '["microvm"]', NULL`, DAYS[0], DAYS[3]),
    // The GPUs of one offering of Northflank were documented on 1 September.
    `UPDATE fact SET valid_from = '${DAYS[4]}' WHERE provider = 'northflank' AND offering = 'own-cloud-microvm' AND attribute = 'gpu';`,
    `INSERT INTO fact VALUES ('northflank', 'own-cloud-microvm', 'gpu', 'not_documented', NULL, NULL, NULL, NULL, NULL, '${DAYS[0]}', '${DAYS[0]}', '${DAYS[4]}');`,
];

/** What makes a catalogue of the past out of one of now, without the program's help. */
const turnBack = (day) => [
    `DELETE FROM fact WHERE valid_from > '${day}' OR valid_to <= '${day}';`,
    'UPDATE fact SET valid_to = NULL;',
    // These rest on facts that may be gone.
    "DELETE FROM claim; DELETE FROM conflict; UPDATE glossary_term SET body = 'Words.'; UPDATE guide SET body = 'Words.';",
];

/** Starts the program on the seed with this past and these further statements; stop() removes what it made. */
export async function startWith(statements, options = {}) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'history-'));
    const seed = path.join(folder, 'seed.sql');
    const db = path.join(folder, 'catalogue.db');
    const text = await readFile(path.join(TOP, 'sql/seed.sql'), 'utf8');
    const end = text.lastIndexOf('INSERT INTO search');
    await writeFile(seed, `${text.slice(0, end)}${statements.join('\n')}\n${text.slice(end)}`);
    const built = await run(['build', '--out', db, '--seed', seed, '--folder', TOP]);
    assert.equal(built.code, 0, built.stderr);
    const server = await startServer({ ...options, args: ['--db', db, ...(options.args ?? [])] });
    return {
        server,
        stop: async () => {
            await server.stop();
            await rm(folder, { recursive: true });
        },
    };
}

export const startPast = (options) => startWith(PAST, options);
export const startOnDay = (day) => startWith([...PAST, ...turnBack(day)]);
