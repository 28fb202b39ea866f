// The package with all that it needs stays small.

import assert from 'node:assert/strict';
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
