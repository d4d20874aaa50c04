import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'

const SIZE = { columns: 80, rows: 24 }

/** A session of two turns: the first writes two files, the second edits one and runs a command on others. */
async function twoTurns() {
  const brain = scriptedBrain({
    steps: [
      calling('write', { path: 'a.txt', content: 'one\n' }),
      { text: 'First done.' },
      calling('edit', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] }),
      calling('bash', { command: 'echo new > made.txt; echo changed >> old.txt; rm gone.txt' }),
      { text: 'Second done.' },
    ],
  })
  const { at, model } = await ready(brain, { permissions: 'full' })
  at.file('old.txt', 'old\n')
  at.file('gone.txt', 'was here\n')
  const program = start(at, SIZE)
  await program.sees('%')
  await program.send('write it')
  await program.sees('First done.')
  await program.send('change it')
  await program.sees('Second done.')
  const text = (path: string) => readFileSync(join(at.workspace, path), 'utf8')
  return { at, model, program, text, has: (path: string) => existsSync(join(at.workspace, path)) }
}

type Talk = Awaited<ReturnType<typeof twoTurns>>

async function choose({ program }: Talk, row: string): Promise<void> {
  await program.sees('what goes back?')
  program.type(row)
  await program.sees((screen) => screen.includes(`› ${row}`))
  program.press(KEY.enter)
}

/** Opens the choice for the newest message. */
async function back(talk: Talk): Promise<void> {
  const { program } = talk
  program.press(KEY.escape, KEY.escape)
  await program.sees('Go back to which message?')
  program.press(KEY.enter)
}

describe('Esc Esc and /rewind', () => {
  it('set files back with the conversation, those of a command too, and /undo takes both back', async () => {
    const talk = await twoTurns()
    const { program, text, has } = talk
    await back(talk)
    await choose(talk, 'show the diff')
    const screen = await program.sees('Restore old.txt')
    expect(screen).toContain('-changed')
    await choose(talk, 'conversation and files')
    await program.sees('3 files set back, 1 new file deleted.')
    expect([text('a.txt'), text('old.txt'), text('gone.txt'), has('made.txt')]).toEqual([
      'one\n',
      'old\n',
      'was here\n',
      false,
    ])
    expect(await program.screen()).toContain('change it')
    program.press(KEY.interrupt)
    await program.send('/undo')
    await program.sees('The rewind is taken back')
    expect([text('a.txt'), text('old.txt'), has('gone.txt'), text('made.txt')]).toEqual([
      'two\n',
      'old\nchanged\n',
      false,
      'new\n',
    ])
    expect(await program.transcript()).toContain('Second done.')
    await program.send('/redo')
    await program.sees('3 files set back, 1 new file deleted.')
    expect([text('a.txt'), text('old.txt'), text('gone.txt'), has('made.txt')]).toEqual([
      'one\n',
      'old\n',
      'was here\n',
      false,
    ])
    await program.send('/undo')
    await program.sees('The rewind is taken back')
    expect([text('a.txt'), has('gone.txt')]).toEqual(['two\n', false])
    expect(await program.screen()).toContain('Second done.')
  })

  it('set back only the files: the model is notified, and has to read them before it edits', async () => {
    const talk = await twoTurns()
    const { program, model, text } = talk
    await back(talk)
    await choose(talk, 'only the files')
    await program.sees('3 files set back, 1 new file deleted.')
    expect(text('a.txt')).toBe('one\n')
    await program.send('go on')
    await program.sees('Done.')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('The user set files back to how they were before #')
  })

  it('go back in the conversation and leave the files', async () => {
    const talk = await twoTurns()
    const { program, text } = talk
    await back(talk)
    await choose(talk, 'only the conversation')
    await program.sees('This is a fork from before that message')
    expect(text('a.txt')).toBe('two\n')
  })

  it('ask about a file that the user changed meanwhile, and leave it if the user says so', async () => {
    const talk = await twoTurns()
    const { at, program, text } = talk
    writeFileSync(join(at.workspace, 'a.txt'), 'mine\n')
    await back(talk)
    await choose(talk, 'only the files')
    await program.sees('Changed since by you or another program: a.txt')
    program.press(KEY.enter)
    await program.sees('2 files set back, 1 new file deleted.')
    expect([text('a.txt'), text('old.txt')]).toEqual(['mine\n', 'old\n'])
  })

  it('list the files that an /undo could not bring back', async () => {
    const talk = await twoTurns()
    const { at, program, text, has } = talk
    await back(talk)
    await choose(talk, 'only the files')
    await program.sees('3 files set back, 1 new file deleted.')
    rmSync(join(at.env.PITH_HOME ?? '', 'checkpoints'), { recursive: true })
    await program.send('/undo')
    await program.sees(/The rewind is not wholly taken back\. Left as they are: .*a\.txt/)
    expect([text('a.txt'), has('gone.txt')]).toEqual(['one\n', false])
  })

  it('name the files that were not set back in the last line, below those that were', async () => {
    const talk = await twoTurns()
    const { at, program, has } = talk
    rmSync(join(at.env.PITH_HOME ?? '', 'checkpoints'), { recursive: true })
    await back(talk)
    await choose(talk, 'conversation and files')
    await program.sees(/1 new file deleted\.[\s\S]*This is a fork[\s\S]*These were not set back: .*a\.txt/)
    expect([has('made.txt'), has('gone.txt')]).toEqual([false, false])
  })

  it('keep what the user changed before it is overwritten, and /undo brings it back', async () => {
    const talk = await twoTurns()
    const { at, program, text } = talk
    writeFileSync(join(at.workspace, 'a.txt'), 'mine\n')
    await program.send('/rewind')
    await program.sees('Go back to which message?')
    program.press(KEY.enter)
    await choose(talk, 'only the files')
    await program.sees('Changed since by you or another program: a.txt')
    program.press(KEY.down, KEY.enter)
    await program.sees('3 files set back, 1 new file deleted.')
    expect(text('a.txt')).toBe('one\n')
    await program.send('/undo')
    await program.sees('The rewind is taken back')
    expect(text('a.txt')).toBe('mine\n')
    // Each says what it set back to: the message, then the rewind.
    const places = [...(await program.transcript()).matchAll(/Files set back to before #(\d+)/g)].map(([, seq]) => seq)
    expect(places).toHaveLength(2)
    expect(places[0]).not.toBe(places[1])
  })
})
