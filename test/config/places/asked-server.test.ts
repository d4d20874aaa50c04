import fc from 'fast-check'
import { expect, it } from 'vitest'
import { askedServer } from '../../../src/config/places/project-mcp.ts'
import type { McpServerSettings } from '../../../src/config/tables/mcp-settings.ts'

const PLACE = { workspace: '/home/someone/here', env: { TOKEN: 'the-secret' } }

function linesOf(server: McpServerSettings): readonly string[] {
  return askedServer('docs', server, PLACE).lines
}

it('a program is asked about with its arguments, its folder and its environment', () => {
  const env = {
    NODE_OPTIONS: '--require ./evil.cjs',
    KEY: `Bearer \${TOKEN}`,
    MODE: `\${MODE:-fast}`,
    NONE: `\${NONE}`,
  }
  expect(linesOf({ command: 'node', args: ['srv.js', 'two words'], env })).toEqual([
    'runs node srv.js "two words"',
    'in /home/someone/here',
    'sets NODE_OPTIONS="--require ./evil.cjs"',
    `sets KEY="Bearer \${TOKEN}" (TOKEN comes from your environment)`,
    `sets MODE="\${MODE:-fast}" (MODE is not set, so fast is used)`,
    `sets NONE="\${NONE}" (NONE is not set)`,
  ])
})

it('an address is asked about with its headers', () => {
  const headers = { Authorization: `Bearer \${TOKEN}`, 'X-Team': 'blue' }
  expect(linesOf({ url: `https://example.test/?key=\${TOKEN}`, headers })).toEqual([
    `connects to "https://example.test/?key=\${TOKEN}" (TOKEN comes from your environment)`,
    `sends Authorization: "Bearer \${TOKEN}" (TOKEN comes from your environment)`,
    'sends X-Team: blue',
  ])
})

it('an argument cannot look like another command, another line or an end of its quotes', () => {
  expect(linesOf({ command: 'node', args: ['a\nruns ls', 'b" "c', '\u001b[2J', 'x\u202ey', 'd\u00a0e', ''] })[0]).toBe(
    'runs node "a\\nruns ls" "b\\" \\"c" "\\u001b[2J" "x\\u{202e}y" "d\\u{a0}e" ""',
  )
})

it('words can be read back from the line as they were, whatever is in them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1 }), (words) => {
      const [command = '', ...args] = words
      const [line = ''] = linesOf({ command, args })
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(wordsIn(line.slice('runs '.length)).slice(0, words.length)).toEqual(words)
    }),
  )
})

function wordsIn(line: string): string[] {
  return (line.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? []).map((word) =>
    word.startsWith('"') ? JSON.parse(word.replace(/\\u\{([0-9a-f]+)\}/g, (_, code) => escaped(code))) : word,
  )
}

function escaped(code: string): string {
  return JSON.stringify(String.fromCodePoint(Number.parseInt(code, 16))).slice(1, -1)
}
