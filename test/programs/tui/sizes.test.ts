import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { full } from '../../support/full.ts'
import { httpServer } from '../../support/mcp-servers.ts'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY, type Program, serverConfig } from '../../tui/support/program.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)
const SIZES = [
  { columns: 120, rows: 40 },
  ...(full ? [{ columns: 80, rows: 24 }] : []),
  { columns: 40, rows: 15 },
] as const

/** The screen when it shows a text; nothing on it is too wide, and the line under the input is the last one. */
async function shows(program: Program, ...texts: readonly (string | RegExp)[]): Promise<string> {
  const [first = '', ...others] = texts
  const screen = await program.sees(first)
  for (const text of others) expect(screen).toMatch(text)
  expect(program.terminal.broken()).toEqual([])
  return screen
}

describe.each(SIZES)('on a screen of $columns × $rows', (size) => {
  it('each screen can be read and answered', async () => {
    const { url } = await httpServer()
    const steps = [
      { text: 'Long.' },
      { text: 'A dot.' },
      calling('write', { path: 'src/a.ts', content: 'export const a = 1\n' }),
      { text: 'Written.' },
    ]
    const { at, model } = await ready(scriptedBrain({ steps }))
    at.config({
      ...serverConfig(model),
      mcp: { web: { url } },
      models: [
        { provider: 'test', model: 'pith-test', context_window: 100_000, price: { input: 3, output: 15 } },
        { provider: 'openai', model: 'pith-large', context_window: 1_000_000 },
      ],
    })
    writeFileSync(join(at.workspace, 'shot.png'), PIXEL)
    const program = start(at, size)
    await shows(program, '%')

    await program.send('/think')
    await shows(program, 'thinks: auto', /› auto[\s\S]*high/)
    program.press(KEY.escape)

    program.paste(Array.from({ length: 5_000 }, (_, i) => `line ${i + 1}`).join('\n'))
    await shows(program, '[paste #1 +5000 lines]')
    program.press(KEY.enter)
    await shows(program, 'Long.', /paste: 4,995 lines/)

    await program.send('/mcp')
    await shows(program, 'MCP servers', /web +ready/)

    await program.send('what is @shot.png')
    await shows(program, 'A dot.', 'Attached shot.png')

    await program.send('write it')
    const asked = await shows(program, '› o  once', /wants to change/)
    expect(asked.replace(/\s+/g, ' ')).toContain('a always (edit: src/a.ts)')
    program.press('o')
    await shows(program, 'Written.')

    await program.send('/rewind')
    await shows(program, 'Go back to which message?', /› #\d+ +write it/)
    program.press(KEY.enter)
    await shows(program, 'what goes back?', /› conversation and files[\s\S]*show the diff/)
    program.press(KEY.escape)

    await program.send('/model')
    await shows(program, /^Model/m, /› test\/pith-test/)
    program.press(KEY.escape)
    await program.send('/model openai/pith-large')
    const key = await shows(program, 'Key for openai', /It is not shown/)
    expect(key.replace(/\s+/g, ' ')).toContain('Enter stores it, Esc leaves')
    program.press(KEY.escape)

    await program.send('/permissions')
    const modes = await shows(program, 'Without asking', /› ask[\s\S]*rules/)
    expect(modes.replace(/\s+/g, ' ')).toContain('edits and commands are asked about')
    expect(modes).toMatch(/Without asking the agent may {2}.*Esc leaves$/m)
  })
})
