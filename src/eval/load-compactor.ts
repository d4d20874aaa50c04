import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { checkMessages } from '../model/problems/check-arguments.ts'
import { messageOf, PithError } from '../model/problems/errors.ts'
import type { Message } from '../model/types.ts'
import { field, isRecord } from '../model/values.ts'
import { BASELINES } from './baselines.ts'
import type { CompactAnswer, Compactor, CompactRequest } from './compactor.ts'
import { pithCompactor } from './pith-compactor.ts'
import { PLAIN_SELECTION } from './plain-selection.ts'

/** True if the sessions would be sent to another machine or program over the network. */
export function isAddress(spec: string): boolean {
  return /^https?:\/\//.test(spec)
}

/** The compactor that the user named: `pith`, a baseline, a module, an address, or a command. */
export async function loadCompactor(spec: string, version: string): Promise<Compactor> {
  if (spec.trim() === '' || (isAddress(spec) && !URL.canParse(spec)))
    throw new PithError(
      'bad-argument',
      `--compactor ${JSON.stringify(spec)}: name a compactor, a file, a command or an address`,
    )
  if (spec === 'pith') return pithCompactor(version)
  const known = [PLAIN_SELECTION, ...BASELINES].find(({ name }) => name === spec)
  if (known !== undefined) return known
  if (isAddress(spec)) return overHttp(spec)
  if (/\.[cm]?[jt]s$/.test(spec) && (!/\s/.test(spec) || existsSync(spec))) return fromModule(spec)
  return byProgram(spec)
}

async function fromModule(spec: string): Promise<Compactor> {
  const path = resolve(spec)
  if (!existsSync(path)) throw new PithError('bad-argument', `--compactor: there is no file ${spec}`)
  const loaded = await importModule(path).catch((error: unknown) => {
    throw new PithError('bad-argument', `--compactor ${spec}: ${messageOf(error).split('\n')[0]}`)
  })
  const { default: compact, recall, name, ignoresTarget } = loaded
  if (typeof compact !== 'function')
    throw new PithError(
      'bad-argument',
      `--compactor ${spec}: its default export is not a function (messages, options) => messages`,
    )
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)
  return {
    name: typeof name === 'string' ? name : basename(spec).replace(/\.[^.]+$/, ''),
    from: `${basename(spec)} ${hash}`,
    ignoresTarget: ignoresTarget === true,
    // As JSON it has the size that a provider would get.
    compact: async ({ messages, ...options }, signal) =>
      answerOf(JSON.parse(JSON.stringify((await compact(messages, { ...options, signal })) ?? null))),
    ...(typeof recall === 'function'
      ? { recall: async (asked: string, about: object) => String(await recall(asked, about)) }
      : {}),
  }
}

/** Node takes the files of a folder made by `npm init` for CommonJS, whatever is in them. */
async function importModule(path: string): Promise<Record<string, unknown>> {
  const hooks = registerHooks({
    load: (url, context, next) => {
      const isOwn = url.startsWith('file:') && /\.[jt]s$/.test(url) && !url.includes('/node_modules/')
      const isModule = isOwn && /^(?:export|import)\b/m.test(readFileSync(fileURLToPath(url), 'utf8'))
      return next(url, isModule ? { ...context, format: url.endsWith('ts') ? 'module-typescript' : 'module' } : context)
    },
  })
  return import(pathToFileURL(path).href).finally(() => hooks.deregister())
}

function overHttp(url: string): Compactor {
  return {
    name: new URL(url).host,
    from: url,
    compact: async (request, signal) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
        signal,
      }).catch((error: unknown) => {
        throw new Error(`${url} cannot be reached: ${messageOf(causeOf(error))}`)
      })
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
      return answerOf(parsed(await textOf(response.body ?? []), url))
    },
  }
}

function byProgram(command: string): Compactor {
  return {
    name: command,
    from: `command ${command}`,
    compact: async (request, signal) => answerOf(parsed(await runProgram(command, request, signal), command)),
  }
}

/** `fetch` only says that it failed; the reason is the cause. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}

/**
 * Runs the user's own command in a shell, with the request on standard input; its last words on standard error explain a failure. It has a process
 * group of its own, which ends with the signal or with the answer: of a shell alone, what it started would live on.
 */
async function runProgram(command: string, request: CompactRequest, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  const child = spawn(command, { shell: true, detached: true, stdio: 'pipe' })
  const end = () => endGroup(child.pid)
  signal.addEventListener('abort', end)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2_000)))
  // A program that does not read its input ends before all of it is written.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(request))
  try {
    const closed = once(child, 'close')
    const [output, [code, by]] = await Promise.all([textOf(child.stdout), closed])
    if (code === 0) return output
    const last = errors.trim().split('\n').at(-1) ?? ''
    throw new Error(`${command} ended with ${code ?? by}${last === '' ? '' : `: ${last}`}`)
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** An answer as text. Without a limit, a program that writes for ever would take all memory. */
async function textOf(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > MOST_BYTES) throw new Error(`the answer is longer than ${MOST_BYTES / 2 ** 20} MB`)
    all.push(piece)
  }
  return Buffer.concat(all).toString('utf8')
}

const MOST_BYTES = 64 * 2 ** 20

function parsed(text: string, from: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const words = text.slice(0, 80).replace(/\s+/g, ' ').trim()
    throw new Error(`${from} wrote ${words === '' ? 'nothing' : `no JSON: ${words}`}`)
  }
}

/** The messages, or an object with them and the usage. Anything else is an error in one line. */
function answerOf(value: unknown): CompactAnswer {
  const messages = isRecord(value) ? value.messages : value
  if (!Array.isArray(messages)) throw new Error('the answer is not a list of messages')
  checkMessages(messages)
  const usage = isRecord(value) ? value.usage : undefined
  const [input, output] = [field(usage, 'inputTokens'), field(usage, 'outputTokens')]
  const isCounted = typeof input === 'number' && typeof output === 'number'
  return {
    messages: messages as Message[],
    ...(isRecord(value) && 'state' in value ? { state: value.state } : {}),
    ...(isCounted ? { usage: { inputTokens: input, outputTokens: output } } : {}),
  }
}
