import { gzipSync } from 'node:zlib'
import { cut, officeFile, picture, zip } from './file-bytes.ts'
import type { HostileFile } from './hostile-file.ts'

const OLE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_048)])
const word = (files = {}) => officeFile('wordprocessingml.document', { 'word/document.xml': '<w:document/>', ...files })

type Row = readonly [title: string, name: string, bytes: string | Buffer, says?: RegExp]

const REFUSED: readonly Row[] = [
  ['an empty file', 'nothing.pdf', '', /empty/],
  ['an empty image', 'nothing.jpg', '', /empty/],
  ['a program called JPEG', 'photo.jpg', exe(), /exe/],
  ['a program called text', 'notes.txt', exe()],
  ['a program', 'setup.exe', exe(), /not accepted/],
  [
    'a program of Linux called PDF',
    'paper.pdf',
    Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(99)]),
  ],
  ['a script of a server', 'x.php', '<?php system("id");', /script/],
  ['a script of a server called CSV', 'x.csv', '<?php system("id");', /script/],
  ['a script for a shell', 'x.sh', '#!/bin/sh\nrm -r /', /not accepted/],
  ['HTML', 'page.html', '<!doctype html><script>alert(1)</script>', /HTML/],
  ['HTML called text', 'notes.txt', '\ufeff \n<html><script>alert(1)</script></html>', /HTML/],
  ['HTML called PDF', 'paper.pdf', '<html>%PDF-1.4 %%EOF</html>', /HTML/],
  ['XML called text', 'notes.txt', '<?xml version="1.0"?><x/>', /XML/],
  ['HTML in UTF-16 called text', 'notes.txt', Buffer.from('\ufeff<html></html>', 'utf16le'), /HTML/],
  ['text with a NUL', 'notes.txt', 'one\0two', /called \.txt/],
  ['CSV with control characters', 'list.csv', 'one,two\x01\x02', /called \.csv/],
  ['text called PDF', 'paper.pdf', 'only words', /called \.pdf/],
  ['text called JPEG', 'photo.jpg', 'only words', /called \.jpg/],
  ['a document that was cut off', 'letter.docx', cut(word(), 0.8), /incomplete/],
  ['an old document that is text', 'letter.doc', 'only words', /called \.doc/],
  ['a zip called document', 'letter.docx', zip({ 'a.txt': 'words' }), /zip/],
  ['a zip called slide', 'one.sldx', zip({ 'a.txt': 'words' }), /zip/],
  ['a zip bomb called document', 'letter.docx', zip({ 'a.bin': Buffer.alloc(100_000_000) }), /zip/],
  ['a zip', 'things.zip', zip({ 'a.txt': 'words' }), /not accepted/],
  ['a Java archive called document', 'letter.docx', zip({ 'META-INF/MANIFEST.MF': 'Main-Class: x' })],
  [
    'a document that declares its macros',
    'letter.docm',
    officeFile('document.macroEnabled', { 'word/x.xml': '' }),
    /docm/,
  ],
  [
    'a document with macros by another name',
    'letter.docx',
    officeFile('document.macroEnabled', { 'word/x.xml': '' }),
    /docm/,
  ],
  ['a document with macros within', 'letter.docx', word({ 'word/vbaProject.bin': 'x' }), /macros/],
  ['a packed file', 'notes.txt', gzipSync('words'), /called \.txt/],
  ['a name without an extension', 'README', 'words', /without an extension/],
  ['a MIME message of web pages', 'page.mhtml', 'MIME-Version: 1.0\nContent-Type: multipart/related', /not accepted/],
  ['bytes at random', 'photo.webp', Buffer.from(Array.from({ length: 999 }, (_, index) => (index * 7919 + 13) % 251))],
]

const refused: HostileFile[] = REFUSED.map(([title, name, bytes, says]) => ({
  title,
  name,
  bytes: async () => Buffer.from(bytes),
  expect: 'invalid',
  ...(says && { says }),
}))

const KEPT: readonly (readonly [
  title: string,
  name: string,
  bytes: string | Buffer,
  extension: string,
  type: RegExp,
])[] = [
  ['a document', 'letter.docx', word(), 'docx', /wordprocessingml\.document$/],
  ['a document called sheet', 'letter.xlsx', word(), 'docx', /wordprocessingml\.document$/],
  [
    'a document with a bomb in it',
    'letter.docx',
    word({ 'word/a.bin': Buffer.alloc(100_000_000) }),
    'docx',
    /wordprocessingml/,
  ],
  ['a sheet', 'list.xlsx', officeFile('spreadsheetml.sheet', { 'xl/a.xml': '' }), 'xlsx', /spreadsheetml\.sheet$/],
  [
    'a slide',
    'one.sldx',
    officeFile('presentationml.slide', { 'ppt/slides/a.xml': '' }),
    'sldx',
    /presentationml\.slide$/,
  ],
  ['an old document', 'letter.DOC', OLE, 'doc', /msword/],
  [
    'a PDF with a script',
    'paper.pdf',
    '%PDF-1.7\n<</S/JavaScript/JS(app.alert(1))>>\n%%EOF\n',
    'pdf',
    /application\/pdf/,
  ],
  ['an RTF', 'letter.rtf', '{\\rtf1 words}', 'rtf', /rtf/],
  // Documents are recognized by their first bytes, and not parsed.
  ['a PDF that was cut off', 'paper.pdf', '%PDF-1.7\n1 0 obj', 'pdf', /application\/pdf/],
  ['an RTF that was cut off', 'letter.rtf', '{\\rtf1 some words', 'rtf', /rtf/],
  ['text with HTML further down', 'notes.txt', 'see <script>alert(1)</script>', 'txt', /^text\/plain; charset=utf-8$/],
  ['text in UTF-7', 'notes.txt', '+ADw-script+AD4-alert(1)+ADw-/script+AD4-', 'txt', /^text\/plain; charset=utf-8$/],
  ['text in UTF-16', 'notes.txt', Buffer.from('\ufeffwörds', 'utf16le'), 'txt', /^text\/plain/],
  ['CSV with formulas', 'list.csv', '=cmd|"/c calc"!A1,2\n', 'csv', /^text\/csv/],
  ['one byte of text', 'notes.txt', 'x', 'txt', /^text\/plain/],
]

const kept: HostileFile[] = [
  ...KEPT.map(([title, name, bytes, extension]) => ({
    title,
    name,
    bytes: async () => Buffer.from(bytes),
    expect: 'safe' as const,
    is: { extension },
  })),
  {
    title: 'a picture called document',
    name: 'letter.docx',
    bytes: () => picture().png().toBuffer(),
    expect: 'safe',
    is: { extension: 'png' },
  },
]

function exe(): Buffer {
  return Buffer.concat([Buffer.from('MZ\x90\x00', 'latin1'), Buffer.alloc(200)])
}

/** Documents that are not what they are called, cut off, packed too well, or hold programs. */
export const HOSTILE_DOCUMENTS: readonly HostileFile[] = [...refused, ...kept]
