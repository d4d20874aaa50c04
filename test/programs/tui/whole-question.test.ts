import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRemotePort } from '../../../src/tui/remote/remote-port.ts'
import { listening } from '../../server/support/listening.ts'
import { TOKENS } from '../../server/support/world.ts'
import { full } from '../../support/full.ts'
import type { Brain } from '../../support/model-server/index.ts'
import { home, ready, start } from '../../tui/support/fixture.ts'
import { KEY, type Program } from '../../tui/support/program.ts'

const SMALL = { columns: 40, rows: 15 }
const SIZES = [SMALL, ...(full ? [{ columns: 80, rows: 24 }] : []), { columns: 120, rows: 40 }]

/** A command of many lines, the last of which leaves a file. */
const STEPS = Array.from({ length: 60 }, (_, i) => `echo step ${i + 1} >> steps.txt`)
const COMMAND = [...STEPS, 'touch the-end'].join('\n')

const runs =
  (command: string): Brain =>
  (_, number) =>
    number > 1 ? { text: 'All done.' } : { calls: [{ name: 'bash', input: { command } }] }

const writes =
  (content: string): Brain =>
  (_, number) =>
    number > 1 ? { text: 'All done.' } : { calls: [{ name: 'write', input: { path: 'made.txt', content } }] }

async function asked(brain: Brain, size: { columns: number; rows: number }) {
  const { at } = await ready(brain)
  const program = start(at, size)
  await askedBy(program)
  return { program, made: (name: string) => existsSync(join(at.workspace, name)) }
}

/** The same over a server: `pith --server`. */
async function askedRemotely(brain: Brain, size: { columns: number; rows: number }) {
  const at = home()
  const workspaces = { code: { path: at.workspace, permissions: 'ask' } }
  const { url } = await listening({ brain, server: { workspaces } })
  const where = { url, token: TOKENS[0].token, open: { kind: 'new' as const } }
  const program = start(at, { ...size, port: () => openRemotePort(where) })
  await askedBy(program)
  return { program, made: (name: string) => existsSync(join(at.workspace, name)) }
}

async function askedBy(program: Program): Promise<void> {
  await program.sees('%')
  await program.send('do it')
  await program.sees('› o  once')
}

/** Turns the pages of a question up to its end, and gives all that was seen on the way. */
async function readOn(program: Program, key: string): Promise<string> {
  const pages = [await program.screen()]
  while (/… [\d,]+ more lines/.test(pages.at(-1) ?? '')) {
    const before = pages.at(-1)
    program.press(key)
    pages.push(await program.sees((screen) => screen !== before && screen.includes('› o  once')))
  }
  return pages.join('\n')
}

describe.each(SIZES)('a question that is longer than a screen of $columns × $rows', (size) => {
  it('is shown whole before it can be allowed', async () => {
    const { program, made } = await asked(runs(COMMAND), size)
    expect(await program.screen()).toMatch(/echo step 1 >>[\s\S]*… \d+ more lines, Ctrl\+O shows them/)
    program.press('o', KEY.enter, '1')
    const pages = await readOn(program, KEY.fold)
    expect(made('steps.txt')).toBe(false)
    for (const line of COMMAND.split('\n')) expect(pages).toContain(line)
    program.press('o')
    await program.sees('All done.')
    expect(made('the-end')).toBe(true)
  })

  it('shows all of a diff', async () => {
    const content = Array.from({ length: 70 }, (_, i) => `line ${i + 1} of the file ${'x'.repeat(60)}.${i + 1}.`)
    const { program, made } = await asked(writes(`${content.join('\n')}\n++ looks like a header\n`), size)
    program.press('o')
    const pages = await readOn(program, KEY.fold)
    expect(made('made.txt')).toBe(false)
    for (const i of content.keys()) expect(pages).toMatch(new RegExp(`x\\.\\s*(\\S\\s*)?${i + 1}\\.`))
    expect(pages).toContain('+++ looks like a header')
    program.press('o')
    await program.sees('All done.')
    expect(made('made.txt')).toBe(true)
  })
})

describe('a question that is longer than the screen', () => {
  it('can be refused at once', async () => {
    const { program, made } = await asked(runs(COMMAND), SMALL)
    program.press('t')
    await program.sees('What should the agent do instead?')
    program.press(KEY.enter)
    await program.sees('All done.')
    expect(made('steps.txt')).toBe(false)
  })

  it('wraps long lines', async () => {
    const command = `echo ${'long '.repeat(300)}; touch last-word`
    const { program, made } = await asked(runs(command), SMALL)
    const pages = await readOn(program, ' ')
    expect(pages.split('long').length - 1).toBeGreaterThanOrEqual(300)
    expect(pages).toContain('touch last-word')
    program.press('o')
    await program.sees('All done.')
    expect(made('last-word')).toBe(true)
  })

  it('is shown whole over a server too', async () => {
    const { program, made } = await askedRemotely(runs(COMMAND), SMALL)
    program.press('o', KEY.enter)
    const pages = await readOn(program, KEY.pageDown)
    expect(made('steps.txt')).toBe(false)
    for (const line of COMMAND.split('\n')) expect(pages).toContain(line)
    program.press(KEY.enter)
    await program.sees('All done.')
    expect(made('the-end')).toBe(true)
  })

  it('goes back a page', async () => {
    const { program } = await asked(runs(COMMAND), SMALL)
    const earlier = (screen: string) => Number(/… (\d+) earlier lines/.exec(screen)?.[1] ?? 0)
    program.press(KEY.pageDown)
    const next = earlier(await program.sees((screen) => earlier(screen) > 0))
    program.press(KEY.pageUp)
    await program.sees((screen) => earlier(screen) < next)
  })

  it('goes back to its beginning, and stays open to an answer', async () => {
    const { program, made } = await asked(runs(COMMAND), SMALL)
    await readOn(program, KEY.fold)
    expect(await program.screen()).toMatch(/… \d+ earlier lines, Ctrl\+O shows them/)
    program.press(KEY.fold)
    await program.sees('echo step 1 >>')
    program.press('o')
    await program.sees('All done.')
    expect(made('the-end')).toBe(true)
  })

  it.each([
    ['End', '\x1b[F'],
    ['G', 'G'],
  ])('can be allowed by one key after %s has shown its end', async (_, key) => {
    const content = Array.from({ length: 1_000 }, (_, i) => `line ${i + 1}`).join('\n')
    const { program, made } = await asked(writes(content), { columns: 80, rows: 24 })
    program.press('o')
    expect(await program.screen()).toContain('See its end to allow it: End or G')
    program.press(key)
    await program.sees('line 1000')
    expect(made('made.txt')).toBe(false)
    program.press('o')
    await program.sees('All done.')
    expect(made('made.txt')).toBe(true)
  })

  it('is not taken for read on a screen that cannot show it', async () => {
    const { program, made } = await asked(runs('touch made'), { columns: 80, rows: 9 })
    expect(await program.screen()).toContain('Make the terminal larger to see it')
    program.press('o', KEY.enter, 'a')
    program.terminal.resize(80, 24)
    await program.sees(/wants to run\s+touch made/)
    expect(made('made')).toBe(false)
    program.press('o')
    await program.sees('All done.')
    expect(made('made')).toBe(true)
  })

  it('shows what a terminal would hide', async () => {
    const command = `echo hi \x1b]0; touch hidden; \x07 \u202e done`
    const { program } = await asked(runs(command), { columns: 80, rows: 24 })
    expect(await program.screen()).toContain('echo hi \\u{1b}]0; touch hidden; \\u{7} \\u{202e} done')
  })
})
