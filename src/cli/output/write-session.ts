import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { viewOf } from '../../engine/view/view.ts'
import { type Decoded, encode, WRITABLE_FORMATS, type WritableFormat, type Written } from '../../formats/index.ts'
import type { Entry } from '../../model/entry.ts'
import { PithError } from '../../model/errors.ts'

/** A format that a session can be written in; `pith` is our own log, whole. */
export type OutputFormat = WritableFormat | 'pith'

/** The session as text in a format, with a new id. */
export function written(session: Decoded, log: readonly Entry[], format: OutputFormat): Written {
  if (format === 'pith') return writtenLog(session, log)
  const { title, workspace, models, version } = session
  const about = {
    ...(title === undefined ? {} : { title }),
    ...(workspace === undefined ? {} : { workspace }),
    // An agent's version says nothing in the file of another one.
    ...(version === undefined || format !== session.format ? {} : { version }),
    models,
  }
  return encode({ ...about, entries: log }, format, { ids: randomUUID, clock: Date.now })
}

/** Which format is meant: the one that was named, else that of the session, where it can be written. */
export function outputFormat(session: Decoded, named: string | undefined, file?: string): OutputFormat {
  const all: readonly OutputFormat[] = [...WRITABLE_FORMATS, 'pith']
  const format = all.find((format) => format === named)
  if (format !== undefined) return format
  if (file !== undefined && /\.(?:md|markdown)$/.test(file)) return 'markdown'
  return all.find((format) => format === session.format) ?? 'markdown'
}

/** Refuses a file that is there already, before any work is done for it. */
export function refuseExisting(file: string | undefined): void {
  if (file !== undefined && existsSync(file))
    throw new PithError('file-exists', `${file} is there already: name a new file, none is ever overwritten`)
}

/** Writes a new file, never over an old one; gives its path. */
export function writeNew(file: string | undefined, { text, place }: Written): string {
  const path = resolve(file ?? basename(place))
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    refuseExisting(path)
    const why = error instanceof Error ? error.message : String(error)
    throw new PithError('file-unwritable', `${path} cannot be written (${why}): name another place`)
  }
  return path
}

const RESUME: Partial<Record<OutputFormat, (written: Written) => string>> = {
  'claude-code': ({ place, sessionId }) => `To go on: copy it to ~/.claude/${place}, then claude --resume ${sessionId}`,
  codex: ({ place, sessionId }) => `To go on: copy it to ~/.codex/${place}, then codex resume ${sessionId}`,
  pi: ({ place }) => `To go on: copy it to ~/.pi/agent/${place}, then pi --resume`,
  pith: () => 'To go on: pith import FILE',
}

/** How the agent that a file was written for goes on with it. */
export function resumeHint(format: OutputFormat, made: Written): string | undefined {
  return RESUME[format]?.(made)
}

function writtenLog(session: Decoded, log: readonly Entry[]): Written {
  const sessionId = randomUUID()
  const row = {
    type: 'session',
    id: sessionId,
    owner: 'local',
    workspace: session.workspace ?? process.cwd(),
    ...(session.title === undefined ? {} : { title: session.title }),
    createdAt: session.startedAt ?? log[0]?.at ?? 0,
    updatedAt: log.at(-1)?.at ?? 0,
    lastSeq: log.at(-1)?.seq ?? 0,
    revision: viewOf(log).revision,
  }
  const text = [row, ...log].map((line) => `${JSON.stringify(line)}\n`).join('')
  return { text, sessionId, place: `${sessionId}.jsonl` }
}
