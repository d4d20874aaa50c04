import xterm from '@xterm/headless'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppliedOutput } from '../../../../src/agent/tools/bash/applied-output.ts'

function applied(...texts: readonly string[]): string {
  const lines: string[] = []
  const output = new AppliedOutput((line) => lines.push(line))
  for (const text of texts) output.add(text)
  output.end()
  return lines.join('\n')
}

test('a progress line is shown as it is at the end', () => {
  const updates = Array.from({ length: 400 }, (_, i) => `\r[${'#'.repeat(i / 10).padEnd(40)}] ${i + 1}/400`)
  expect(applied('Downloading\n', ...updates, '\ndone\n')).toBe(`Downloading\n[${'#'.repeat(39)} ] 400/400\ndone\n`)
})

test('several progress lines, drawn again with cursor moves, are shown once', () => {
  const draw = (i: number) => `\u001b[2K a ${i}%\n\u001b[2K b ${i}%\n`
  expect(applied(draw(1), ...[40, 80, 100].map((i) => `\u001b[2A${draw(i)}`))).toBe(' a 100%\n b 100%\n')
})

test('lines that scroll off the screen are kept', () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `line ${i}`).join('\n')
  expect(applied(lines)).toBe(lines)
})

test('output without cursor moves is unchanged, whatever it is cut into', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '\t', '\n') }), fc.nat(40), (text, at) => {
      expect(applied(text.slice(0, at), text.slice(at))).toBe(text.toWellFormed())
    }),
  )
})

test('an escape sequence that arrives in pieces acts as if it were whole', () => {
  const text = 'one two\u001b]0;a title\u0007\u001b]8;;http://a\u001b\\link\u001b[31m\u001b[3D\u001b[K\r\u001b[2Cx'
  expect(applied(...text)).toBe(applied(text))
  expect(applied(text)).toBe('onx twol')
})

test('a long line keeps its head and its tail', () => {
  const line = `head${'x'.repeat(100_000)}tail`
  const shown = applied(`before\n${line}\nafter`)
  expect(shown).toMatch(/^before\nheadx{2996}\[… 96,008 characters of this line left out …\]x{996}tail\nafter$/)
  expect(applied(`${line}\rshort\u001b[K`)).toBe('short')
})

test('a full-screen program leaves nothing behind when it ends', () => {
  expect(applied('a\n\u001b[?1049h\u001b[Hmenu\nitem\u001b[?1049lb')).toBe('a\nb')
  expect(applied('a\n\u001b[?1049hmenu')).toBe('a\n\nmenu')
})

test('a terminal shows the same', async () => {
  const piece = fc.oneof(
    fc.constantFrom('\r', '\b', '\n', '\n', '\r\n', '\u001b7', '\u001b8', '\u001bM', '\u001b[31m', 'abc', 'déf', ' '),
    fc.tuple(fc.constantFrom(...'ABCDEFGHJKd'), fc.nat(6)).map(([final, n]) => `\u001b[${n || ''}${final}`),
    fc.tuple(fc.nat(6), fc.nat(9)).map(([y, x]) => `\u001b[${y};${x}H`),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 80 }), async (pieces) => {
      const text = pieces.join('')
      expect(rows(applied(text))).toEqual(await terminalRows(text))
    }),
    { numRuns: 60 },
  )
})

function rows(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trimEnd())
  while (lines.at(-1) === '') lines.pop()
  return lines
}

async function terminalRows(text: string): Promise<string[]> {
  const terminal = new xterm.Terminal({
    rows: 50,
    cols: 500,
    scrollback: 1_000,
    convertEol: true,
    allowProposedApi: true,
  })
  await new Promise<void>((resolve) => terminal.write(text, resolve))
  const { active } = terminal.buffer
  const all = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
  terminal.dispose()
  return rows(all.join('\n'))
}
