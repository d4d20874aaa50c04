import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY, type Program } from '../../tui/support/program.ts'

const SIZE = { columns: 100, rows: 30 }

/** A session that has made a file in one repository, and another repository with the same file. */
async function twoFolders() {
  const brain = scriptedBrain({
    steps: [
      calling('write', { path: 'a.txt', content: 'two\n' }),
      { text: 'It is written.' },
      calling('bash', { command: 'pwd; echo here > made.txt' }),
      { text: 'It ran.' },
    ],
  })
  const { at, model } = await ready(brain, { permissions: 'full' })
  const first = start(at, SIZE)
  await first.sees('%')
  await first.send('write it')
  await first.sees('It is written.')
  await first.quit()
  const store = await at.store()
  const [session] = (await store.sessions()).sessions
  await store.close()
  const other = join(dirname(at.workspace), 'other')
  mkdirSync(join(other, '.git'), { recursive: true })
  // As the session left its own file: only the folder distinguishes them.
  writeFileSync(join(other, 'a.txt'), 'two\n')
  return {
    at,
    model,
    other,
    id: session?.id ?? '',
    has: (folder: string) => existsSync(join(folder, 'a.txt')),
  }
}

async function choose(program: Program, row: string): Promise<void> {
  program.type(row)
  await program.sees((screen) => screen.includes(`› ${row}`))
  program.press(KEY.enter)
}

/** The folder that a command of the model runs in. */
async function ranIn(program: Program, folder: string): Promise<void> {
  await program.send('run it')
  await program.sees('It ran.')
  expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('here\n')
}

describe('a session of another folder', () => {
  it('is asked about at the start, and opens in its folder', async () => {
    const { at, other, id } = await twoFolders()
    const program = start(at, { ...SIZE, cwd: other, open: { kind: 'id', id: id.slice(0, 8) } })
    const question = await program.sees('This session works in')
    expect(question).toContain(at.workspace)
    expect(question).not.toContain('It is written.')
    await choose(program, 'go to its folder')
    await program.sees('It is written.')
    await ranIn(program, at.workspace)
    const store = await at.store()
    // The session that was open while the question was is gone again.
    expect((await store.sessions()).sessions.map((session) => session.id)).toEqual([id])
    await store.close()
  })

  it('continues here as a fork, and neither /rewind nor /undo touches files of either folder', async () => {
    const { at, model, other, id, has } = await twoFolders()
    const program = start(at, { ...SIZE, cwd: other })
    await program.sees('%')
    await program.send(`/resume ${id}`)
    await program.sees('This session works in')
    await choose(program, 'continue here, as a fork')
    await program.sees('This is a fork that works here')
    await ranIn(program, other)
    expect(saidTo(model.requests.at(-1)?.request)).toContain(other)
    await program.send('/rewind #1')
    await program.sees('stays as it is')
    // Only the file that was made here can go back.
    const rows = await program.sees('what goes back?')
    expect(rows).toContain('1 file: made.txt')
    await choose(program, 'only the files')
    await program.sees('1 new file deleted')
    expect([has(at.workspace), has(other)]).toEqual([true, true])
    const store = await at.store()
    const { sessions } = await store.sessions()
    await store.close()
    expect(sessions.find((session) => session.id === id)).toMatchObject({ workspace: at.workspace })
    expect(sessions.find(({ parent }) => parent?.id === id)).toMatchObject({ workspace: other })
  })

  it('whose rewind is its last act is forked without it: /undo here takes nothing back', async () => {
    const { at, other, id, has } = await twoFolders()
    const program = start(at, { ...SIZE, open: { kind: 'id', id } })
    await program.sees('It is written.')
    await program.send('/rewind #1')
    await program.sees('what goes back?')
    await choose(program, 'only the files')
    await program.sees('1 new file deleted')
    expect(has(at.workspace)).toBe(false)
    await program.quit()
    rmSync(join(other, 'a.txt'))
    const there = start(at, { ...SIZE, cwd: other, open: { kind: 'id', id } })
    await there.sees('This session works in')
    await choose(there, 'continue here, as a fork')
    await there.sees('This is a fork that works here')
    await there.send('/undo')
    await there.sees('Nothing to undo')
    expect([has(at.workspace), has(other)]).toEqual([false, false])
  })

  it('can be left alone, and if its folder is gone only the fork is offered', async () => {
    const { at, other, id } = await twoFolders()
    rmSync(at.workspace, { recursive: true })
    const program = start(at, { ...SIZE, cwd: other, open: { kind: 'id', id } })
    const question = await program.sees(/does\s+not\s+exist\s+here/)
    expect(question).not.toContain('go to its folder')
    expect(question).toContain('continue here, as a fork')
    await choose(program, 'leave it')
    await program.sees('The session was not opened.')
    expect(await program.screen()).not.toContain('It is written.')
  })
})
