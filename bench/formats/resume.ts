/**
 * Compacts sessions offline, writes them for Claude Code, Codex and pi, and lets the programs themselves resume them
 * against a local model server: each has to send the summary and the whole tail.
 * `node bench/formats/resume.ts FILE … --agents FOLDER`; FOLDER has the programs in `node_modules/.bin`.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compact, type Entry, messagesOf, viewOf } from '../../src/engine.ts'
import { RESUMABLE_FORMATS, type ResumableFormat } from '../../src/formats/formats.ts'
import { answerOpenCalls, type DecodedSession, decode, encode, formatNamed } from '../../src/formats/index.ts'
import { callsOf, textOf } from '../../src/model/types.ts'
import { startAgentModel } from '../../test/clients/agent-model.ts'
import { CLIENTS } from '../../test/clients/clients.ts'
import { put } from '../../test/clients/put.ts'
import { placeClient } from '../../test/clients/run-client.ts'
import { pieces } from './pieces.ts'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { agents: { type: 'string' } } })
const { agents } = values
if (positionals.length === 0 || agents === undefined) {
  console.error('Name sessions and agents: node bench/formats/resume.ts FILE … --agents FOLDER')
  process.exit(2)
}
for (const file of positionals) {
  const result = await decode(pieces(file))
  if (!result.ok) throw new Error(result.text)
  const log = answerOpenCalls(result.session.entries)
  const { entries } = await compact({ log, model: { contextWindow: 64_000 } })
  const session = { ...result.session, entries: [...log, ...entries] }
  for (const format of RESUMABLE_FORMATS) console.log(`${file}: ${format}: ${await resumed(format, session, agents)}`)
}

async function resumed(format: ResumableFormat, session: DecodedSession, folder: string): Promise<string> {
  const client = CLIENTS.find((each) => each.name === format)
  if (client === undefined) return 'no program of this format is known'
  const model = await startAgentModel(() => ({ text: 'RESUMED' }))
  const program = join(folder, 'node_modules', '.bin', client.program)
  const running = placeClient(client, { program, url: model.url, window: 1_000_000 })
  try {
    const { home, workspace } = running.place
    const written = encode({ ...session, workspace }, format, { ids: randomUUID, clock: Date.now })
    const path = join(home, (formatNamed(format).resume?.folder ?? '~').slice(1), written.place)
    put(path, written.text)
    const { stdout, stderr } = await running.resume({ id: written.sessionId, file: path }, 'Go on.')
    if (!stdout.includes('RESUMED')) return `did not answer: ${`${stderr.trim()} ${stdout.trim()}`.slice(0, 600)}`
    return `resumed; ${sentShare(session.entries, model.asked.map(({ body }) => JSON.stringify(body)).join())}`
  } finally {
    await model.close()
    running.remove()
  }
}

/** Counts the texts and calls of the view that the program sent. */
function sentShare(view: readonly Entry[], sent: string): string {
  const messages = messagesOf(viewOf(view))
  const words = messages.map(textOf).filter((text) => text.trim() !== '')
  const lost = words.filter((text) => !sent.includes(JSON.stringify(text).slice(1, -1)))
  const calls = messages.flatMap(callsOf)
  const lostCalls = calls.filter(
    (call) => !sent.includes(call.toolCallId.replaceAll(/[^\w-]/g, '_')) && !sent.includes(call.toolCallId),
  )
  return `${words.length - lost.length} of ${words.length} texts and ${calls.length - lostCalls.length} of ${calls.length} calls sent`
}
