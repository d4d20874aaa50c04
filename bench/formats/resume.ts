/**
 * Compacts a session offline, writes it for Claude Code, Codex and pi, and lets the programs themselves resume it against
 * a local model server: each has to send the summary and the whole tail. Programs that are not named are left out.
 * `node bench/formats/resume.ts FILE [--claude PROGRAM] [--codex PROGRAM] [--pi PROGRAM]`
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { compact, type Entry, messagesOf, viewOf } from '../../src/engine/index.ts'
import { answerOpenCalls, decode, encode } from '../../src/formats/index.ts'
import { callsOf, textOf } from '../../src/model/message.ts'
import { startModelServer } from '../../test/support/model-server/index.ts'
import { startLenientServer } from './lenient-server.ts'
import { pieces } from './pieces.ts'
import { PROGRAMS, type Program } from './programs.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { claude: { type: 'string' }, codex: { type: 'string' }, pi: { type: 'string' } },
})
const [file] = positionals
if (file === undefined) {
  console.error('Name a session: node bench/formats/resume.ts FILE --claude PROGRAM --codex PROGRAM --pi PROGRAM')
  process.exit(2)
}
const result = await decode(pieces(file))
if (!result.ok) throw new Error(result.text)
const log = answerOpenCalls(result.session.entries)
const { entries } = await compact({ log, model: { contextWindow: 64_000 } })
const session = { ...result.session, entries: [...log, ...entries] }

for (const program of PROGRAMS) {
  const path = values[program.name]
  if (path === undefined) console.log(`${program.name}: not asked for`)
  else console.log(`${program.name}: ${await resumed(program, path, session.entries)}`)
}

async function resumed(program: Program, path: string, view: readonly Entry[]): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'pith-resume-'))
  // Codex declares tools of the provider's own that the strict server does not know.
  const server =
    program.name === 'codex'
      ? await startLenientServer('RESUMED')
      : await startModelServer({ brain: () => ({ text: 'RESUMED' }), window: 1_000_000 })
  try {
    const workspace = join(home, 'workspace')
    mkdirSync(workspace)
    const written = encode({ ...session, workspace }, program.format, { ids: randomUUID, clock: Date.now })
    const target = join(home, program.folder, written.place)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, written.text)
    const { env, args } = program.run({ home, url: server.url, sessionId: written.sessionId, file: target })
    const child = spawn(path, args, {
      cwd: workspace,
      env: { PATH: process.env.PATH, HOME: home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const timer = setTimeout(() => child.kill(), 90_000)
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    clearTimeout(timer)
    const violations = server.violations.map(({ problem }) => problem)
    if (!output.includes('RESUMED'))
      return `did not answer: ${[...violations, errors.trim(), output.trim()].join(' ').slice(0, 600)}`
    const sent = server.requests.map(({ body }) => JSON.stringify(body)).join()
    return `resumed; ${missing(view, sent)}; ${violations.length} violations${violations.length === 0 ? '' : `, the first: ${violations[0]}`}`
  } finally {
    await server.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** What of the view is not in what the program sent. */
function missing(view: readonly Entry[], sent: string): string {
  const messages = messagesOf(viewOf(view))
  const words = messages.map(textOf).filter((said) => said.trim() !== '')
  const lost = words.filter((said) => !sent.includes(JSON.stringify(said).slice(1, -1)))
  const calls = messages.flatMap(callsOf)
  const lostCalls = calls.filter(
    (call) => !sent.includes(call.toolCallId.replaceAll(/[^\w-]/g, '_')) && !sent.includes(call.toolCallId),
  )
  return `${words.length - lost.length} of ${words.length} texts and ${calls.length - lostCalls.length} of ${calls.length} calls sent`
}
