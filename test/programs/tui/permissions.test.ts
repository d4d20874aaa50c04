import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Brain } from '../../support/model-server/index.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'

/** Runs these commands one after the other, then says done. */
function runs(...commands: readonly string[]): Brain {
  return (_, number) => {
    const command = commands[number - 1]
    return command === undefined ? { text: 'All done.' } : { calls: [{ name: 'bash', input: { command } }] }
  }
}

async function asked(brain: Brain) {
  const made = await ready(brain)
  const program = start(made.at)
  await program.sees('%')
  await program.send('do it')
  await program.sees('› o  once')
  return { ...made, program }
}

describe('a question of permission', () => {
  it('shows the command and runs it once', async () => {
    const { at, program } = await asked(runs('echo hello > made.txt', 'echo again > made.txt'))
    const screen = await program.screen()
    expect(screen).toContain('The agent wants to run')
    expect(screen).toContain('echo hello > made.txt')
    expect(existsSync(join(at.workspace, 'made.txt'))).toBe(false)
    program.press('o')
    await program.sees('echo again > made.txt')
    expect(readFileSync(join(at.workspace, 'made.txt'), 'utf8')).toBe('hello\n')
    await program.sees('› o  once')
    program.press('o')
    await program.sees('All done.')
  })

  it('always is not asked again, in this session and the next, until the rule is removed', async () => {
    const { at, program } = await asked(({ messages }) =>
      messages.at(-1)?.role === 'user'
        ? { calls: [{ name: 'bash', input: { command: 'touch made' } }] }
        : { text: 'All done.' },
    )
    expect(await program.screen()).toContain('always (command: touch made)')
    program.press('a')
    await program.sees('All done.')
    await program.quit()
    const again = start(at)
    await again.sees('%')
    await again.send('once more')
    await again.sees('All done.')
    await again.send('/permissions')
    await again.sees('list, remove')
    again.type('rules')
    await again.sees('› rules')
    again.press(KEY.enter)
    expect(await again.sees('Enter removes one')).toMatch(/› always {2}command: touch made/)
    again.press(KEY.enter)
    await again.sees('Removed: always command: touch made')
    await again.sees('There are no rules for this workspace.')
    await again.send('and again')
    await again.sees('The agent wants to run')
  })

  it('never is refused, and the model reads so', async () => {
    const { program, model } = await asked(runs('rm -rf made'))
    program.press('n')
    await program.sees('All done.')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('forbids this for good')
  })

  it('tell the agent: what is typed is what the model reads', async () => {
    const { program, model } = await asked(runs('npm publish'))
    program.press('t')
    await program.sees('What should the agent do instead?')
    program.type('use the staging registry')
    program.press(KEY.enter)
    await program.sees('All done.')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('use the staging registry')
  })

  it('Esc refuses one call and keeps the others, Ctrl+C interrupts the turn', async () => {
    const write = (name: string) => ({ name: 'bash', input: { command: `echo hello > ${name}` } })
    const { at, program } = await asked((_, number) =>
      number === 1 ? { calls: [write('one'), write('two'), write('three')] } : { text: 'All done.' },
    )
    const made = () => ['one', 'two', 'three'].filter((name) => existsSync(join(at.workspace, name)))
    program.press(KEY.escape)
    await program.sees(/wants to run\s+echo hello > two[\s\S]*› o {2}once/)
    program.press('o')
    await program.sees(/wants to run\s+echo hello > three[\s\S]*› o {2}once/)
    expect(made()).toEqual(['two'])
    program.press(KEY.interrupt)
    await program.sees('Interrupted...what should the agent do instead?')
    expect(made()).toEqual(['two'])
  })

  it('in this session: edits are not asked about again', async () => {
    const { at } = await ready((_, number) =>
      number < 4
        ? { calls: [{ name: 'write', input: { path: `${number}.txt`, content: 'a\n' } }] }
        : { text: 'All done.' },
    )
    const program = start(at)
    await program.sees('%')
    await program.send('make three')
    expect(await program.sees('› o  once')).toContain('s  all edits in this session')
    program.press('s')
    await program.sees('All done.')
    expect(existsSync(join(at.workspace, '3.txt'))).toBe(true)
  })

  it('always with any arguments stores the prefix, for each part of a compound command', async () => {
    const { at, program } = await asked(runs('touch a && mkdir b', 'touch c', 'mkdir d'))
    const screen = await program.screen()
    expect(screen).toContain('a  always (command: touch a, command: mkdir b)')
    expect(screen).toContain('p  always (command: touch *, command: mkdir *)')
    expect(screen).not.toContain('n  never')
    program.press('p')
    await program.sees('All done.')
    expect(['a', 'b', 'c', 'd'].filter((name) => existsSync(join(at.workspace, name)))).toHaveLength(4)
  })

  it('a command that only looks is not asked about', async () => {
    const { at } = await ready(runs('ls -la | head -3', 'git status'))
    const program = start(at)
    await program.sees('%')
    await program.send('look')
    await program.sees('All done.')
  })

  it('/permissions works while the agent does', async () => {
    const gate = Promise.withResolvers<void>()
    const { at } = await ready(async (_, number) => {
      if (number > 1) return { text: 'All done.' }
      await gate.promise
      return { calls: [{ name: 'bash', input: { command: 'touch made' } }] }
    })
    const program = start(at)
    await program.sees('%')
    await program.send('do it')
    await program.sees('Working...')
    await program.send('/permissions full')
    await program.sees(/\bfull\b/)
    gate.resolve()
    await program.sees('All done.')
    expect(existsSync(join(at.workspace, 'made'))).toBe(true)
  })

  it('what is typed while it comes up goes into the input and answers nothing', async () => {
    const gate = Promise.withResolvers<void>()
    const { at } = await ready(async (_, number) => {
      if (number > 1) return { text: 'All done.' }
      await gate.promise
      return { calls: [{ name: 'bash', input: { command: 'echo hello > made.txt' } }] }
    })
    const program = start(at)
    await program.sees('%')
    await program.send('do it')
    await program.sees('Working...')
    gate.resolve()
    await program.sees((screen) => {
      if (!screen.includes('The agent wants to run')) program.type('o')
      return screen.includes('stop typing to answer')
    })
    program.type('oan')
    await program.sees(/o+oan/)
    await program.sees('› o  once')
    expect(existsSync(join(at.workspace, 'made.txt'))).toBe(false)
    program.press('o')
    await program.sees('All done.')
    expect(await program.screen()).toMatch(/o+oan/)
  })

  it('a command that prints shows the end of it, and one that fails its code', async () => {
    const { program } = await asked(runs('(seq 1 50; exit 3)'))
    program.press('o')
    await program.sees('All done.')
    const screen = await program.screen()
    expect(screen).toMatch(/✗ bash \(seq 1 50; exit 3\) · #4 · exit 3, 50 lines/)
    expect(screen).toContain('… 47 earlier lines, Ctrl+O shows them')
    program.press(KEY.fold)
    await program.sees(/\n\s+35\s*\n/)
  })

  it('an edit shows its diff, then what was changed', async () => {
    const { at } = await ready((_, number) =>
      number === 1
        ? { calls: [{ name: 'write', input: { path: 'b.ts', content: 'export const b = 1\n' } }] }
        : { text: 'All done.' },
    )
    const program = start(at)
    await program.sees('%')
    await program.send('make b')
    const screen = await program.sees('› o  once')
    expect(screen).toContain('+export const b = 1')
    program.press('o')
    await program.sees('All done.')
    expect(readFileSync(join(at.workspace, 'b.ts'), 'utf8')).toBe('export const b = 1\n')
    expect(await program.screen()).toMatch(/● write b\.ts[\s\S]*\+export const b = 1/)
  })
})
