import { expect, it } from 'vitest'
import { saidTo } from '../../support/scripted-brain.ts'
import { ready, start } from '../../tui/support/fixture.ts'

it('shows a line for each running sub-agent, names it in its question, and finds its words', async () => {
  const gate = Promise.withResolvers<void>()
  const { at } = await ready(async (request) => {
    const said = saidTo(request)
    const isResult = request.messages.at(-1)?.role === 'tool'
    if (!request.system.includes('You are a sub-agent')) {
      if (isResult) return { text: 'Both are done.' }
      const task = (description: string, tools: string) => ({
        name: 'task',
        input: { description, prompt: `${description}.`, tools },
      })
      return { calls: [task('Read the notes', 'read'), task('Touch a file', 'all')] }
    }
    if (said.startsWith('Read the notes')) {
      if (!isResult) return { calls: [{ name: 'ls', input: { path: '.' } }] }
      await gate.promise
      return { text: 'The watchword is heliotrope.' }
    }
    return isResult
      ? { text: 'It was refused.\nFor good.\nThat is all.' }
      : { calls: [{ name: 'bash', input: { command: 'touch /etc/made' } }] }
  })
  const program = start(at, { flags: { permissions: 'ask', sandbox: 'off' } })
  await program.sees('%')
  await program.send('go')
  await program.sees(/◌ task Read the notes · task-1 · step 2 · [\d.,k]+ tokens/)
  await program.sees('The sub-agent task-2 wants to run')
  await program.press('t')
  await program.send('no')
  await program.sees(
    /● task Touch a file · #\d+ · .*\n +It was refused\.\n +For good\.\n.*\n +… \d more lines, Ctrl\+O/,
  )
  gate.resolve()
  await program.sees('Both are done.')
  await program.send('/recall heliotrope')
  await program.sees(/task-1#\d+ assistant/)
  await program.send('/recall task-1#1')
  await program.sees(/task-1#1 user\s+Read the notes\./)
  await program.send('/cost')
  await program.sees(/of sub-agents\s+4 calls/)
  expect(await program.screen()).toContain('Both are done.')
})
