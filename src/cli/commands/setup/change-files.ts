import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../../../agent/tools/files/stored-file.ts'
import { dataFolder } from '../../../config/places/folders.ts'
import { linkTarget, writePrivate } from '../../../config/write/write-private.ts'
import { PithError } from '../../../model/problems/errors.ts'
import type { SetupChange } from './setup-plan.ts'

/** Says in one line why a file cannot be changed, before anything is, and how it can be. */
export function checkFiles(changes: readonly SetupChange[]): void {
  for (const { file } of changes) {
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined && isLink)
      throw new PithError('bad-argument', `${file} is a link to a file that is not there: make that file first`)
    if (stat !== undefined && !stat.isFile()) throw new PithError('bad-argument', `${file} is not a file`)
    const target = linkTarget(file)
    for (const place of stat === undefined ? [nearestFolder(file)] : [target, dirname(target)]) {
      if (isWritable(place)) continue
      throw new PithError(
        'bad-argument',
        `${place} cannot be written: allow it (chmod u+w), or write into ${file} yourself what --dry-run shows`,
      )
    }
  }
}

/** Keeps copies, then writes all changes or none; returns the copies. A file that was changed meanwhile is not touched. */
export async function changeFiles(changes: readonly SetupChange[], now: Date): Promise<string[]> {
  for (const { file, before } of changes) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    if (text !== before) throw new PithError('bad-argument', `${file} was changed meanwhile: run the command again`)
  }
  const copies = new Map(
    changes.flatMap(({ file, original }) => (original === undefined ? [] : [[file, keepCopy(file, original, now)]])),
  )
  const written: SetupChange[] = []
  try {
    for (const change of changes) {
      written.push(change)
      await put(change)
    }
    for (const { file, record } of changes) noteSetup(file, record && { ...record, copy: copies.get(file) })
  } catch (error) {
    for (const change of written.toReversed()) await put({ ...change, after: change.before }).catch(() => undefined)
    for (const copy of copies.values()) removeCopy(copy)
    throw new PithError('bad-argument', `nothing was changed: ${error instanceof Error ? error.message : error}`)
  }
  return [...copies.values()]
}

async function put({ file, after, newFolder, isPrivate }: SetupChange): Promise<void> {
  // A link stays a link: many people keep their settings in a repository.
  const target = linkTarget(file)
  const mode = isPrivate === true ? 0o600 : statSync(target, { throwIfNoEntry: false })?.mode
  if (after !== undefined) return writeAtomically(target, after, mode)
  rmSync(file, { force: true })
  if (newFolder !== undefined) removeEmpty(dirname(file), newFolder)
}

/** Removes the folders that were made for a file, as long as they are empty. */
function removeEmpty(folder: string, outermost: string): void {
  try {
    rmdirSync(folder)
  } catch {
    return
  }
  if (folder !== outermost) removeEmpty(dirname(folder), outermost)
}

/** Copies are kept in Pith's own folder: agents look for files in theirs. They have the mode of the file. */
function keepCopy(file: string, text: string, now: Date): string {
  const folder = join(dataFolder(), 'setup')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, `${now.toISOString().replaceAll(/[:.]/g, '-')}-${basename(file)}`)
  writeFileSync(copy, text)
  chmodSync(copy, statSync(file).mode)
  return copy
}

function removeCopy(copy: string): void {
  rmSync(copy, { force: true })
  removeEmpty(dirname(copy), dirname(copy))
}

function nearestFolder(file: string): string {
  const folder = dirname(file)
  return existsSync(folder) || folder === file ? folder : nearestFolder(folder)
}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const fileSchema = z.object({
  /** True when there was no such file before. */
  isNew: z.boolean(),
  /** The outermost folder that was made for it. */
  newFolder: z.string().optional(),
  /** The texts that were put in, by the name of the setting. */
  inserted: z.record(z.string(), z.object({ text: z.string(), containers: z.number() })),
  /** The hash of the text that we wrote. A file that still has it gets its copy back. */
  written: z.string().optional(),
  /** The copy of the file without Pith. */
  copy: z.string().optional(),
})
const recordSchema = z.record(z.string(), fileSchema)

/** The texts that Pith has put into one file of an agent. */
export type FileRecord = z.infer<typeof fileSchema>

/** The texts that Pith has put into the files of agents, by file. A record that cannot be read is empty: settings are then found by their names. */
export function readSetupRecord(): Readonly<Record<string, FileRecord>> {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(recordFile(), 'utf8')))
  } catch {
    return {}
  }
}

/** Notes the texts that a file of an agent has now; undefined if nothing is left. A copy that is no longer needed is removed. */
export function noteSetup(file: string, record: FileRecord | undefined): void {
  const { [file]: before, ...others } = readSetupRecord()
  const all = record === undefined ? others : { ...others, [file]: record }
  if (Object.keys(all).length === 0) rmSync(recordFile(), { force: true })
  else writePrivate(recordFile(), `${JSON.stringify(all)}\n`)
  if (before?.copy !== undefined && before.copy !== record?.copy) removeCopy(before.copy)
}

function recordFile(): string {
  return join(dataFolder(), 'setup.json')
}
