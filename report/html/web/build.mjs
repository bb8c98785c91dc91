// Bundles src/main.js and the parts of ECharts it uses into ../dist/report.js.gz, and
// collects their licences in ../dist/licences.txt.
import { build } from 'esbuild';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const modules = new URL('./node_modules/', import.meta.url);

// ECharts' licence headers are plain comments, which the minifier drops: its notice is
// put at the top instead.
const notice = (await readFile(new URL('echarts/NOTICE', modules), 'utf8')).replaceAll('\r', '').trim();

const { outputFiles } = await build({
  entryPoints: [new URL('./src/main.js', import.meta.url).pathname],
  write: false,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2020',
  charset: 'ascii', // the page's content policy hashes the text as it stands
  legalComments: 'eof',
  banner: { js: `/*! Contains parts of:\n${notice}\nLicensed under the Apache License, Version 2.0. */` },
  logLevel: 'warning',
});
// Compressed, it takes a third of the space in the program.
await writeFile(new URL('report.js.gz', dist), gzipSync(outputFiles[0].contents, { level: 9 }));
await rm(new URL('report.js', dist), { force: true });

const parts = [];
for (const [name, files] of [
  ['echarts', ['NOTICE', 'LICENSE']],
  ['zrender', ['LICENSE']],
  ['tslib', ['CopyrightNotice.txt', 'LICENSE.txt']],
]) {
  const { version } = JSON.parse(await readFile(new URL(`${name}/package.json`, modules), 'utf8'));
  for (const file of files) {
    parts.push(await section(`${name} ${version}: ${file}`, new URL(`${name}/${file}`, modules)));
  }
}
const bundled = new URL('echarts/licenses/', modules);
for (const file of (await readdir(bundled)).sort()) {
  parts.push(await section(`inside echarts: ${file}`, new URL(file, bundled)));
}
await writeFile(new URL('licences.txt', dist), parts.join('\n\n'));

async function section(title, url) {
  const text = await readFile(url, 'utf8');
  return `==== ${title} ====\n\n${text.replaceAll('\r', '').trim()}\n`;
}
