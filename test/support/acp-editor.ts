import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Readable, Writable } from 'node:stream'
import {
  type AgentApp,
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk'
import { inject, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { RunWorld } from './run-world.ts'

/** The editor's side of a connection, with all that it was sent. */
export type EditorView = {
  readonly agent: ClientContext
  readonly updates: SessionUpdate[]
  readonly asked: RequestPermissionRequest[]
  /** Updates and questions that the published schema of the protocol does not allow. */
  readonly problems: string[]
}

/** An editor that a program talks to. */
export type Editor = EditorView & {
  readonly pid: number
  /** Closes its standard input, as an editor does that quits. The result is its exit code. */
  readonly ends: () => Promise<number | null>
}

/** The answer of the user: the id of an option; undefined if they leave without one. */
export type Choose = (asked: RequestPermissionRequest) => string | undefined | Promise<string | undefined>

const schemaFile = createRequire(import.meta.url)
  .resolve('@agentclientprotocol/sdk')
  .replace(/dist\/.*$/, 'schema/v1/schema.json')

/** A program that speaks the protocol on its standard input and output. */
export type AcpProgram = {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** Works with `pith acp` as an editor does: over its standard input and output. */
export function asEditor<T>(
  { workspace, home, env }: RunWorld,
  choose: Choose,
  work: (editor: Editor) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  const args = [inject('program'), 'acp', ...flags]
  const all = { PATH: process.env.PATH, HOME: home, ...env }
  return editorOf({ file: process.execPath, args, cwd: workspace, env: all }, choose, work)
}

/** Starts an agent and works with it as an editor. Its process group is gone after the test. */
export async function editorOf<T>(
  { file, args, cwd, env }: AcpProgram,
  choose: Choose,
  work: (editor: Editor) => Promise<T>,
): Promise<T> {
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  onTestFinished(() => endGroup(child.pid))
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>
  const ends = async () => {
    child.stdin.end()
    const [code] = await ended
    return code
  }
  return work({ ...editorOn(ndJsonStream(output, input), choose), pid: child.pid ?? 0, ends })
}

/** An editor that is connected to an agent. */
export function editorOn(agent: Stream | AgentApp, choose: Choose): EditorView {
  const [updates, asked, problems]: [SessionUpdate[], RequestPermissionRequest[], string[]] = [[], [], []]
  const check = checker()
  const app = client({ name: 'editor' })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params)
      problems.push(...check('RequestPermissionRequest', params))
      const optionId = await choose(params)
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } }
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update)
      problems.push(...check('SessionNotification', params))
    })
  // A stream and an app are connected in the same way, by two signatures.
  const connection = 'readable' in agent ? app.connect(agent) : app.connect(agent)
  onTestFinished(() => connection.close())
  return { agent: connection.agent, updates, asked, problems }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {}
}

/** Checks values by the JSON schema that the protocol publishes. */
function checker(): (name: string, value: unknown) => string[] {
  const { $defs } = JSON.parse(readFileSync(schemaFile, 'utf8'))
  const schemas = new Map<string, z.ZodType>()
  return (name, value) => {
    // Building a schema takes far longer than a check.
    const schema = schemas.get(name) ?? z.fromJSONSchema({ $defs, $ref: `#/$defs/${name}` })
    schemas.set(name, schema)
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
