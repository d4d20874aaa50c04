import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Readable, Writable } from 'node:stream'
import {
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { inject, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { RunWorld } from './run-world.ts'

const MAIN = inject('program')

/** An editor that the program talks to, with what it was sent. */
export type Editor = {
  readonly agent: ClientContext
  readonly updates: SessionUpdate[]
  readonly asked: RequestPermissionRequest[]
  /** Updates and questions that the published schema of the protocol does not allow. */
  readonly problems: string[]
}

/** The answer of the user: the id of an option. */
export type Choose = (asked: RequestPermissionRequest) => string

const schemaFile = createRequire(import.meta.url)
  .resolve('@agentclientprotocol/sdk')
  .replace(/dist\/.*$/, 'schema/v1/schema.json')

/** Works with `pith acp` as an editor does: over its standard input and output. */
export async function asEditor<T>(
  { workspace, home, env }: RunWorld,
  choose: Choose,
  work: (editor: Editor) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [MAIN, 'acp'], {
    cwd: workspace,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [updates, asked, problems]: [SessionUpdate[], RequestPermissionRequest[], string[]] = [[], [], []]
  const check = checker()
  const app = client({ name: 'editor' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params)
      problems.push(...check('RequestPermissionRequest', params))
      return { outcome: { outcome: 'selected', optionId: choose(params) } }
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update)
      problems.push(...check('SessionNotification', params))
    })
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>
  return app.connectWith(ndJsonStream(output, input), (agent) => work({ agent, updates, asked, problems }))
}

/** Checks values by the JSON schema that the protocol publishes. */
function checker(): (name: string, value: unknown) => string[] {
  const { $defs } = JSON.parse(readFileSync(schemaFile, 'utf8'))
  return (name, value) => {
    const schema = z.fromJSONSchema({ $defs, $ref: `#/$defs/${name}` })
    const { success, error } = schema.safeParse(value)
    return success ? [] : [`${name}: ${error?.message} in ${JSON.stringify(value)}`]
  }
}

/** The text of all messages of the agent. */
export function saidBy(updates: readonly SessionUpdate[], kind: SessionUpdate['sessionUpdate']): string {
  return updates
    .map((update) => {
      if (update.sessionUpdate !== kind || !('content' in update)) return ''
      const { content } = update
      return content !== null && content !== undefined && 'text' in content ? content.text : ''
    })
    .join('')
}
