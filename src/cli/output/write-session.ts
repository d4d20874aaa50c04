import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { appended } from '../../engine/context/view/log.ts'
import type { RecordSeal } from '../../engine/record/record-place.ts'
import { leftOutSecretsText } from '../../engine/report/secret-text.ts'
import {
  type AgentFile,
  type DecodedSession,
  encode,
  formatNamed,
  WRITABLE_FORMATS,
  type WritableFormat,
} from '../../formats/index.ts'
import { PithError } from '../../model/problems/errors.ts'
import { shellWord } from '../../model/text.ts'
import type { Entry, Origin } from '../../model/types.ts'
import type { RedactedText } from '../../secrets/redact-secrets.ts'
import { originIn } from '../../session/import/origin.ts'
import { note } from './show.ts'

/** The session and its log without keys, tokens and passwords, as they may leave this machine. A line says what was left out. */
export async function withoutSecrets(
  session: DecodedSession,
  log: readonly Entry[],
  redact?: (text: string) => RedactedText,
): Promise<{ session: DecodedSession; log: readonly Entry[] }> {
  const { Redaction } = await import('../../secrets/redacted-log.ts')
  const redaction = new Redaction(redact)
  const entries = log.map(redaction.entry)
  const title = session.title === undefined ? undefined : redaction.text(session.title)
  const notice = leftOutSecretsText(redaction.found)
  if (notice === undefined) return { session, log }
  note(notice)
  return { session: { ...session, title, entries }, log: entries }
}

/** How the user wants a session to be written. */
type OutputWish = {
  readonly to?: string | undefined
  readonly out?: string | undefined
  readonly withSecrets?: boolean | undefined
  /** The name by which the user named the session, for a hint that names it again. Without it the hint names the new file, as it must after a change. */
  readonly source?: string
  /** The agent that the session comes from, as an import would note it. */
  readonly origin?: Origin | undefined
  /** Seals the record, so that the session that it was made of is found here when the file comes back. */
  readonly seal?: RecordSeal | undefined
  /** Finds the secrets; of a compacted log, what has searched its texts before. */
  readonly redact?: ((text: string) => RedactedText) | undefined
}

/** A session in the format that was asked for, and what puts it into a new file. */
type SessionOutput = { readonly text: string; readonly write: () => OutputFile }

/** The path of a file, and how the agent of its format continues with it. */
export type OutputFile = { readonly path: string; readonly hint: string | undefined }

/** Makes the text of a session; secrets are left out unless they are asked for. */
export async function sessionOutput(
  whole: DecodedSession,
  entries: readonly Entry[],
  { to, out, withSecrets = false, source = '-', origin, seal, redact }: OutputWish,
): Promise<SessionOutput> {
  const format = outputFormat(whole, to, out)
  const all = format === 'pith' ? withOrigin(entries, origin) : entries
  const { session, log } = withSecrets ? { session: whole, log: all } : await withoutSecrets(whole, all, redact)
  const made = written(session, log, format, seal)
  const write = () => {
    const path = writeNew(out, made)
    const { workspace = '' } = session
    const isElsewhere = workspace !== '' && !existsSync(workspace)
    // Standard input cannot be read again.
    const elsewhere = isElsewhere ? { workspace, source: source === '-' ? path : source } : undefined
    return { path, hint: resumeHint(format, made, path, elsewhere) }
  }
  return { text: made.text, write }
}

/** Our own format has the window and the prompt of another agent where an import has them: in its log. */
function withOrigin(log: readonly Entry[], origin: Origin | undefined): readonly Entry[] {
  return origin === undefined || originIn(log) !== undefined ? log : appended(log, [{ type: 'settings', origin }])
}

/** The session as text in a format, with a new id. */
export function written(
  session: DecodedSession,
  log: readonly Entry[],
  format: WritableFormat,
  seal?: RecordSeal,
): AgentFile {
  // Our own export is imported into the folder that it names, and an agent finds a session in the folder that it was held in.
  const hasFolder = format === 'pith' || formatNamed(format).resume !== undefined
  const workspace = session.workspace ?? (hasFolder ? process.cwd() : undefined)
  return encode({ ...session, workspace, entries: log }, format, {
    ids: randomUUID,
    clock: Date.now,
    seal,
  })
}

/** The format to write: the named one, else that of the session, else Markdown. */
function outputFormat(session: DecodedSession, named: string | undefined, file?: string): WritableFormat {
  const format = WRITABLE_FORMATS.find((format) => format === named)
  if (format !== undefined) return format
  if (file !== undefined && /\.(?:md|markdown)$/.test(file)) return 'markdown'
  return WRITABLE_FORMATS.find((format) => format === session.format) ?? 'markdown'
}

/** Refuses a file that exists, before any work is done for it. */
export function refuseExisting(file: string | undefined): void {
  if (file !== undefined && existsSync(file))
    throw new PithError('file-exists', `${file} exists already: name a new file, Pith overwrites none`)
}

/** Writes a new file, never over an old one, and returns its path. */
export function writeNew(
  file: string | undefined,
  { text, place }: { readonly text: string | Uint8Array; readonly place: string },
): string {
  const path = resolve(file ?? basename(place))
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    refuseExisting(path)
    const folder = dirname(path)
    const why = existsSync(folder)
      ? error instanceof Error
        ? error.message
        : String(error)
      : `there is no folder ${folder}`
    throw new PithError('file-unwritable', `${path} cannot be written (${why}): name another place`)
  }
  return path
}

/** A session whose folder is not on this machine, and what the user named it by. */
type ElsewhereSession = { readonly workspace: string; readonly source: string }

/** How the agent of the format continues with a file. It finds the session only in the folder that the file names. */
function resumeHint(
  format: WritableFormat,
  { place, sessionId }: AgentFile,
  file: string,
  elsewhere: ElsewhereSession | undefined,
): string | undefined {
  const { resume, advice } = formatNamed(format)
  if (resume === undefined) return advice === undefined ? undefined : `To continue: ${advice(shellWord(file))}`
  const path = `${resume.folder}/${place}`
  const words = resume.command({ sessionId, path }).map(shellWord)
  const command = `copy it to ${shellWord(path)}, then ${words.join(' ')}`
  if (elsewhere === undefined) return `To continue: ${command}`
  const here = `pith handoff ${shellWord(elsewhere.source)} --to ${format}`
  return `To continue in this folder: ${here}. On the machine that has ${elsewhere.workspace}: ${command}`
}
