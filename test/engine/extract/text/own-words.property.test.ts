import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ownWords } from '../../../../src/engine/extract/text/own-words.ts'

const LANGUAGES: readonly (readonly string[])[] = [
  'please keep the old port and never touch this file again when tests fail if for while return'.split(' '),
  'bitte die alten Prüfungen behalten und größere Dateien niemals löschen wenn etwas fehlt'.split(' '),
  "s'il vous plaît gardez l'ancien réglage où c'était déjà et n'effacez rien après".split(' '),
  'пожалуйста не трогай этот файл и оставь старые тесты как они были'.split(' '),
  'يرجى عدم لمس هذا الملف أبدا وترك الاختبارات القديمة كما هي'.split(' '),
  'कृपया इस फ़ाइल को कभी न बदलें और पुराने परीक्षण रखें'.split(' '),
  '이 파일은 절대 건드리지 말고 기존 테스트를 그대로 두세요'.split(' '),
  ['请不要修改这个文件', '保留旧的测试', '然后运行检查', '必须使用新的端口'],
  ['このファイルは触らないでください', '古いテストを残して', '新しいポートを使う'],
  ['อย่าแตะไฟล์นี้', 'เก็บการทดสอบเดิมไว้', 'ใช้พอร์ตใหม่'],
]
const NAMES = [
  '`foo()`',
  'src/a/b.ts',
  '#12',
  '50',
  '{name}',
  '"quoted"',
  '(see',
  'v2.1',
  'https://a.example/b',
  'API',
  '->',
  'foo(bar)',
  'a=1',
  'test_foo.py',
]
const STARTS = ['', '', '', '- ', '* ', '1. ', '# ', '## ', '> ', '  - ', 'WARNING: ', 'note: ', '**', '| ']
const ENDS = ['', '.', '!', '?', ':', ',', ';', '…', '。', ' |', ' :)']

const sentence = fc
  .tuple(
    fc
      .constantFrom(...LANGUAGES)
      .chain((words) => fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 14 })),
    fc.array(fc.constantFrom(...NAMES), { maxLength: 2 }),
    fc.constantFrom(...STARTS),
    fc.constantFrom(...ENDS),
  )
  .map(([words, names, start, end]) => {
    const [first = '', ...rest] = words
    // `return f(x);` with one word more may be a line of code in any language.
    const named = names.slice(0, Math.floor(words.length / 3))
    return `${start}${[first, ...named, ...rest].join(' ')}${end}`
  })
const prose = fc
  .array(sentence, { minLength: 1, maxLength: 4 })
  .chain((lines) => fc.constantFrom('\n', '\n\n', '\n\n\n').map((gap) => lines.join(gap)))

const many = (line: (i: number) => string, least = 8) =>
  fc.integer({ min: least, max: 40 }).map((count) => Array.from({ length: count }, (_, i) => line(i)).join('\n'))
const fenced = (language: string, code: fc.Arbitrary<string>, mark = '```') =>
  code.map((text) => `${mark}${language}\n${text}\n${mark}`)

const log = many((i) => `2026-02-08 21:51:${10 + i} INFO the server has started and never stops port=${i}`)
const json = many((i) => `  "name${i}": "please keep this value and never touch it",`).map((inner) => `{\n${inner}\n}`)
const trace = many((i) => `    at run${i} (/home/me/src/run.ts:${i}:3)`).map(
  (frames) => `TypeError: no such thing\n${frames}`,
)
const pythonTrace = many((i) => `  File "/app/run${i}.py", line ${i}, in run\n    return step(${i})`).map(
  (frames) => `Traceback (most recent call last):\n${frames}`,
)
const diff = fc.integer({ min: 12, max: 30 }).map((count) => {
  const lines = Array.from({ length: count }, (_, i) =>
    i % 2 === 0 ? `-never touch this line ${i}` : `+please keep line ${i}`,
  )
  const half = Math.floor(count / 2)
  return `diff --git a/x b/x\nindex 1234567..89abcde 100644\n--- a/x\n+++ b/x\n@@ -1,${count - half} +1,${half} @@\n${lines.join('\n')}`
})
const code = many(
  (i) => `export function run${i}(a: string): number {\n  const value = compute(a, ${i});\n  return value + ${i};\n}`,
)
const terminal = many((i) => `⏺ Bash(npm run step${i} -- --all)\n  ⎿  done in ${i} seconds`)
const block = fc.oneof(
  log,
  json,
  trace,
  pythonTrace,
  diff,
  code,
  terminal,
  fenced('', log),
  fenced(
    'python',
    many((i) => `# please keep this remark, number ${i}`),
  ),
  fenced('ts', code, '````'),
  fenced('', json, '~~~'),
  fc.constant('a1B2'.repeat(200)),
)

it('all that the user wrote before, between and after pasted blocks is quoted as it was, and each block is one line at its place', () => {
  fc.assert(
    fc.property(prose, fc.array(fc.tuple(block, prose), { minLength: 1, maxLength: 4 }), (first, rest) => {
      const message = [first, ...rest.flat()].join('\n')
      const expected = [first, ...rest.flatMap(([, after]) => ['[…]', after])].join('\n').trim()
      expect(ownWords(message, '#3').replace(/^\[pasted: [^\n]*, recall #3\]$/gm, '[…]')).toBe(expected)
    }),
    { numRuns: 300 },
  )
})
