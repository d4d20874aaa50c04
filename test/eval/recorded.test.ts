import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recordedSessions, sessionFiles } from '../../src/eval/eval-sessions.ts'
import { answersIn } from '../../src/eval/probes/kept.ts'
import { shownBy } from '../../src/eval/probes/shown.ts'
import { providerRefusals } from '../../src/eval/probes/validity.ts'
import { askedFacts } from '../../src/eval/truth/facts.ts'
import { configFolders } from '../support/config-folders.ts'

const call = (id: string, name: string, input: object) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
})

async function recorded(messages: readonly object[]) {
  const { workspace } = configFolders()
  writeFileSync(join(workspace, 'chat.json'), JSON.stringify({ messages }))
  const skipped: string[] = []
  for await (const session of recordedSessions(sessionFiles(workspace), (line) => skipped.push(line)))
    return session.messages
  throw new Error(skipped.join())
}

it('leaves out a call that was interrupted, which no compactor is to blame for', async () => {
  const messages = await recorded([
    { role: 'user', content: 'Look at a.ts.' },
    call('one', 'read', { path: 'a.ts' }),
    { role: 'user', content: 'No, at b.ts.' },
    call('two', 'read', { path: 'b.ts' }),
    { role: 'tool', tool_call_id: 'two', content: 'text' },
    { role: 'assistant', content: 'Done.' },
  ])
  expect(providerRefusals(messages)).toEqual([])
  expect(JSON.stringify(messages)).toContain('b.ts')
  expect(JSON.stringify(messages)).toContain('Done.')
})

it('shows how a command ended by the last line that says it, and not by one that says both', async () => {
  const messages = await recorded([
    { role: 'user', content: 'Test it.' },
    call('one', 'bash', { command: 'npm test' }),
    { role: 'tool', tool_call_id: 'one', content: '3 passed' },
  ])
  const facts = askedFacts({ span: messages.map((message, i) => ({ seq: i + 1, message })), after: [] })
  const command = facts.filter(({ kind }) => kind === 'command')
  const kept = (content: string) => answersIn(shownBy([{ role: 'user', content }]), command)
  expect(kept('`npm test`: ok')).toEqual(['kept'])
  expect(kept('`npm test`: ok or failed')).toEqual(['lost'])
  expect(kept('`npm test`: failed\n`npm test`: ok')).toEqual(['kept'])
  expect(kept('`npm test`: ok\n`npm test`: failed')).toEqual(['lost'])
})

it('finds a file of Windows by its last name', async () => {
  const messages = await recorded([
    { role: 'user', content: 'Write the plan.' },
    call('one', 'write', { file_path: 'C:\\Users\\me\\plans\\next-plan.md', content: 'text' }),
    { role: 'tool', tool_call_id: 'one', content: 'written' },
  ])
  const facts = askedFacts({ span: messages.map((message, i) => ({ seq: i + 1, message })), after: [] })
  const files = facts.filter(({ kind }) => kind === 'edited file')
  expect(files).toHaveLength(1)
  expect(answersIn(shownBy(messages), files)).toEqual(['kept'])
})
