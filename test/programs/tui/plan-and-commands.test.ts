import { describe, expect, it } from 'vitest'
import { calling, scriptedBrain } from '../../support/scripted-brain.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY } from '../../tui/support/program.ts'
import { replies } from '../../tui/support/talk.ts'

const plan = (...steps: string[]) =>
  calling('todo', { todos: steps.map((text) => ({ text, status: 'pending' as const })) })

describe('plan mode in the terminal', () => {
  it.each([
    [120, 40],
    [80, 24],
    [40, 15],
  ])(
    'at %i×%i: a plan is changed, the program restarted, another plan accepted, and the mode is what it was',
    async (columns, rows) => {
      const steps = [
        plan('Write a.txt'),
        { text: 'As you like.' },
        plan('Write b.txt', 'Check it'),
        { text: 'It is done.' },
      ]
      const mode = (name: string) => new RegExp(`· ${name}\\b.*%`)
      const { at } = await ready(scriptedBrain({ steps }), { permissions: 'auto-edit' })
      const program = start(at, { columns, rows })
      await program.sees(mode('auto-edit'))
      await program.send('/plan add a file')
      await program.sees('1. Write a.txt')
      expect(await program.screen()).toContain('The agent plans this. Accept it?')
      program.press('c')
      await program.sees('What should be different?')
      program.type('call it b')
      program.press(KEY.enter)
      await program.sees('As you like.')
      await program.sees(mode('plan'))
      await program.quit()
      const again = start(at, { columns, rows, open: { kind: 'continue' } })
      await again.sees(mode('plan'))
      await again.send('so?')
      await again.sees('2. Check it')
      again.press('y')
      await again.sees('It is done.')
      await again.sees(mode('auto-edit'))
      await again.send('/todo')
      await again.sees('Write b.txt')
    },
  )
})

describe('own commands in the terminal', () => {
  it('are completed and listed with their files, run by name, and give way to built-in ones', async () => {
    const { at, model } = await ready(replies())
    at.file('.claude/commands/git/commit.md', '---\ndescription: Commit it\nargument-hint: [title]\n---\nCommit as $1.')
    at.file('.claude/commands/compact.md', 'Mine')
    const program = start(at, { columns: 120, rows: 60 })
    await program.sees('%')
    program.type('/git')
    await program.sees(/\/git:commit +Commit it \(\.claude\/commands\/git\/commit\.md\)/)
    program.press(KEY.tab)
    program.type('now')
    program.press(KEY.enter)
    await program.sees('Understood.')
    expect(await program.screen()).toContain('Attached .claude/commands/git/commit.md')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Commit as now.')
    at.file('.agents/skills/late/SKILL.md', 'Made while the program runs')
    await program.send('/late')
    await program.sees('Attached .agents/skills/late/SKILL.md')
    await program.send('/help')
    await program.sees('Commands and keys')
    program.type('.claude')
    const help = await program.sees('of .claude/commands/compact.md is not used: a built-in command has this name')
    expect(help).toMatch(/\/git:commit \[title\] +Commit it/)
  })
})
