// What is in the package: its sources, its types, and not much when it is bundled.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { build } from 'esbuild';

test('bundled with its dependencies it has less than 60 kB, gzipped', async (context) => {
  const bundled = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.js', import.meta.url))],
    bundle: true, minify: true, format: 'esm', target: 'es2022', write: false,
  });
  const { length } = gzipSync(bundled.outputFiles[0].contents, { level: 9 });
  context.diagnostic(`${length} bytes`);
  assert.ok(length < 60_000, `${length} bytes`);
});

test('what npm packs are the sources, the types, README and package.json', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  const sources = readdirSync(new URL('../src', import.meta.url)).map((name) => `src/${name}`);
  assert.deepEqual(files.map(({ path }) => path).sort(), ['README.md', 'package.json', 'types/index.d.ts', ...sources].sort());
});
