import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { home, ready } from '../../tui/support/fixture.ts'
import { realProgram } from '../../tui/support/real-program.ts'
import { replies, talk } from '../../tui/support/talk.ts'
import { hasTmux, NO_TMUX } from '../../tui/support/tmux.ts'

if (!hasTmux) console.warn(NO_TMUX)

function lines(text: string): string[] {
  return text.split('\n').map((line) => line.trimEnd())
}

describe.skipIf(!hasTmux)('the program in a real terminal', () => {
  it('opens, replies, compacts, is killed and continued with the same transcript and number, and gives the terminal back', async () => {
    const { at } = await ready(replies('A reply with **bold** words.'), { window: 10_000 })
    const id = await at.session(talk(8, 5_000, 80))
    const first = realProgram(at, { args: '--continue' })
    await first.terminal.sees('50.00%')
    first.terminal.type('hello there')
    first.terminal.press('Enter')
    await first.terminal.sees('A reply with bold words.')
    first.terminal.type('/compact')
    await first.terminal.sees('Compact conversation context')
    first.terminal.press('Enter')
    await first.terminal.sees('✓ Compacted')
    await first.terminal.sees(/█░+ \d/)
    const before = lines(first.terminal.all())
    process.kill(first.pid(), 'SIGKILL')
    await first.terminal.sees('left with 137')
    first.terminal.close()
    const { terminal } = realProgram(at, { args: `--session ${id.slice(0, 8)}` })
    await terminal.sees('✓ Compacted')
    await terminal.sees(/\$\d/)
    expect(lines(terminal.all()).filter((line) => line !== '')).toEqual(before.filter((line) => line !== ''))
    terminal.press('C-c')
    await terminal.sees('Press Ctrl+C again to quit')
    terminal.press('C-c')
    await terminal.sees('left with 0')
    const screen = await terminal.sees(/\nicanon\n/)
    expect(screen).toContain('Resume this session: pith --session')
    expect(screen).toMatch(/\necho\n/)
  })

  it('gives the terminal to a command and to the user’s editor, and comes back', async () => {
    const { at } = await ready(replies())
    at.file('editor.sh', 'read -p "add: " more; echo "$more" >> "$1"')
    const { terminal } = realProgram(at, { columns: 40, rows: 15, env: { EDITOR: 'bash editor.sh' } })
    await terminal.sees('%')
    terminal.type('!!read -p "name? " x; echo "hi $x"')
    terminal.press('Enter')
    await terminal.sees(/^name\?$/m)
    terminal.type('Ann')
    terminal.press('Enter')
    expect(await terminal.sees('[exit code: 0]')).toMatch(/ask .*%/)
    expect(terminal.all()).toContain('hi Ann')
    terminal.type('first')
    await terminal.sees(/^first/m)
    terminal.press('C-g')
    await terminal.sees('add:')
    terminal.type('second')
    terminal.press('Enter')
    await terminal.sees(/^firstsecond/m)
  })

  it('leaves the lines of the shell and its own where they are when the terminal is resized', async () => {
    const long = Array.from({ length: 40 }, (_, i) => `sentence ${i + 1}.`).join('\n\n')
    const { at } = await ready(replies(long), { window: 10_000 })
    const { terminal } = realProgram(at, { before: 'echo a line of the shell; ' })
    await terminal.sees('%')
    terminal.type('tell me')
    terminal.press('Enter')
    await terminal.sees('sentence 40.')
    for (const [columns, rows] of [
      [80, 24],
      [120, 40],
      [40, 15],
      [100, 30],
    ] as const) {
      terminal.resize(columns, rows)
      await terminal.sees(new RegExp(`^─{${columns}}$`, 'm'))
    }
    const all = terminal.all()
    expect(all).toContain('a line of the shell')
    const seen = [...new Set([...all.matchAll(/sentence (\d+)\./g)].map(([, n]) => Number(n)))]
    expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
  })

  it('without a model and without settings a key opens the example', async () => {
    const at = home()
    const { terminal } = realProgram(at)
    await terminal.sees('Press Tab')
    terminal.press('Tab')
    await terminal.sees(/\d\.\d\d%/)
    terminal.type('/compact')
    await terminal.sees('Compact conversation context')
    terminal.press('Enter')
    await terminal.sees('digest, without a model')
  })

  it('ended by a signal it gives the terminal back and says how to resume', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    await at.session(talk(2, 5_000, 80))
    const { terminal, pid } = realProgram(at, { args: '--continue' })
    await terminal.sees('50.00%')
    process.kill(pid(), 'SIGTERM')
    await terminal.sees('left with 143')
    const screen = await terminal.sees(/\nicanon\n/)
    expect(screen).toContain('Resume this session: pith --session')
    expect(screen).toMatch(/\necho\n/)
  })

  it('after a crash the terminal is given back, and the error is one line', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    await at.session(talk(2, 5_000, 80))
    const boom = join(at.workspace, 'boom.mjs')
    writeFileSync(boom, "process.on('SIGUSR2', () => { throw new Error('boom') })\n")
    const { terminal, pid } = realProgram(at, {
      args: '--continue',
      env: { NODE_OPTIONS: `--import ${pathToFileURL(boom)}` },
    })
    await terminal.sees('50.00%')
    process.kill(pid(), 'SIGUSR2')
    await terminal.sees('left with 1')
    const screen = await terminal.sees(/\nicanon\n/)
    expect(screen).toContain('pith: unexpected error: boom')
    expect(screen).toContain('Resume this session: pith --session')
  })

  it('a wrong configuration is one line on a terminal that is as it was', async () => {
    const at = home()
    at.config({ modle: 'x' })
    const { terminal } = realProgram(at)
    await terminal.sees('left with 1')
    const screen = await terminal.sees(/\nicanon\n/)
    expect(screen.replaceAll('\n', '')).toContain('did you mean `model`?')
  })
})
