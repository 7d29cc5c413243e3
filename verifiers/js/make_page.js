// Writes verify.html from page.html, page.css, page.js, sentence.js and verify.js: node make_page.js. With --check it only compares.
'use strict';
const fs = require('fs'), path = require('path'), crypto = require('crypto');
const read = (n) => fs.readFileSync(path.join(__dirname, n), 'utf8'), target = path.join(__dirname, '..', 'verify.html');
const hash = (s) => "'sha256-" + crypto.createHash('sha256').update(s).digest('base64') + "'";
const parts = { STYLE: read('page.css'), VERIFY: '\n' + read('../verify.js'), SENTENCE: '\n' + read('sentence.js'), PAGE: read('page.js') };
for (const [k, s] of Object.entries(parts)) if (/<\/(script|style)|<!--/i.test(s)) throw new Error(k + ' would end its element');
parts.SCRIPT_HASHES = ['VERIFY', 'SENTENCE', 'PAGE'].map((k) => hash(parts[k])).join(' ');
parts.STYLE_HASH = hash(parts.STYLE);
const html = read('page.html').replace(/@([A-Z_]+)@/g, (_, k) => parts[k]);
if (process.argv[2] !== '--check') fs.writeFileSync(target, html);
else if (!fs.existsSync(target) || fs.readFileSync(target, 'utf8') !== html) { console.error('verify.html is not what make_page.js writes'); process.exitCode = 1; }
