import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeText } from '../../../src/formats/index.ts'
import type { AgentFiles } from '../../../src/server/sessions/agent-sessions.ts'

const ID = 'agent:pi:01a1e1c7-765c-7221-92b2-8fcbb3cd5bcc'

/** A machine on which pi has one session, in a file of a folder. */
export type AgentMachine = {
  readonly files: AgentFiles
  /** Adds a message of the user, as pi does. */
  readonly say: (words: string) => void
}

export function agentMachine(folder: string): AgentMachine {
  const file = join(folder, 'pi-session.jsonl')
  const header = { type: 'session', version: 3, id: ID, timestamp: '2026-03-01T10:00:00Z', cwd: '/repo' }
  writeFileSync(file, `${JSON.stringify(header)}\n`)
  let last: string | null = null
  const say = (words: string) => {
    const id = `m${(last ?? '').length}${words.length}`
    const message = { role: 'user', content: words, timestamp: Date.now() }
    const line = { type: 'message', id, parentId: last, timestamp: '2026-03-01T10:00:01Z', message }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    last = id
  }
  say('Look after the printer.')
  const facts = { id: ID, agent: 'pi', title: 'The printer', workspace: '/repo', updatedAt: Date.now() }
  return {
    say,
    files: {
      list: async () => [{ ...facts, messages: 1, compactions: 0, tokens: 500, window: 1_000 }],
      find: (id) =>
        id !== ID
          ? undefined
          : {
              stamp: () => String(statSync(file).size),
              changedAt: () => statSync(file).mtimeMs,
              read: async () => {
                const read = decodeText(readFileSync(file, 'utf8'))
                if (!read.ok) throw new Error(read.text)
                return read.session
              },
            },
    },
  }
}
