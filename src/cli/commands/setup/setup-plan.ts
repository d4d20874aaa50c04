import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { contentHash } from '../../../agent/tools/files/stored-file.ts'
import { PithError } from '../../../model/problems/errors.ts'
import type { FileRecord } from './change-files.ts'
import { ConfigProblem, type Insertion, type Setting, type SettingForm, type SettingState } from './setup-agent.ts'

/** How one file is changed. No text: the file is not there, or will not be. */
export type SetupChange = {
  readonly file: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** The text without Pith, if a copy of it is to be kept. */
  readonly original?: string
  /** The outermost folder that was made for it, or will be. */
  readonly newFolder?: string
  /** Only the user may read it from now on. */
  readonly isPrivate?: boolean
  /** The note for the record, once it is written. */
  readonly record: FileRecord | undefined
}

/** The changes that put settings into their files, or take them out; a file that stays as it is has none. */
export function setupPlan(
  settings: readonly Setting[],
  records: Readonly<Record<string, FileRecord>>,
  isRemoval: boolean,
): SetupChange[] {
  const files = [...new Set(settings.map(({ file }) => file))]
  return files.flatMap((file) => {
    const before = textOf(file)
    const own = settings.filter((setting) => setting.file === file)
    const change = inWords(file, () =>
      isRemoval ? removal(before, own, records[file]) : addition(before, own, records[file]),
    )
    const newFolder = records[file]?.newFolder ?? missingFolder(file)
    const record = change.record && { ...change.record, newFolder }
    const isPrivate = !isRemoval && own.some((setting) => setting.isPrivate)
    return change.after === before ? [] : [{ file, before, newFolder, isPrivate, ...change, record }]
  })
}

/** The present state of a setting in its file, of which this is recorded. */
export function settingState({ what, file, form }: Setting, record?: FileRecord): SettingState {
  return inWords(file, () => stateIn(textOf(file) ?? '', form, record?.inserted[what]))
}

/** A text that an earlier version put in, and that nobody has changed since, is ours, also where only its words show it. */
function stateIn(text: string, form: SettingForm, inserted?: InsertionRecord): SettingState {
  const state = form.standing(text)
  return state === 'other' && inserted !== undefined && inserted.text !== '' && text.includes(inserted.text)
    ? 'outdated'
    : state
}

type FileResult = Pick<SetupChange, 'after' | 'original' | 'record'>

function addition(
  before: string | undefined,
  settings: readonly Setting[],
  record: FileRecord | undefined,
): FileResult {
  const inserted = { ...record?.inserted }
  let text = before ?? ''
  for (const { what, form, isStale } of settings) {
    if (isStale) {
      if (inserted[what] !== undefined) text = withoutSetting(text, form, inserted[what])
      delete inserted[what]
      continue
    }
    const made = withSetting(text, form, inserted[what])
    if (made === undefined) continue
    text = made.text
    inserted[what] = made.inserted
  }
  const isNew = record?.isNew ?? before === undefined
  const original = record === undefined ? before : removal(before, settings, record).after
  return { after: text === '' ? before : text, original, record: { isNew, inserted, written: contentHash(text) } }
}

/** A file that nobody has changed since becomes what it was. A file of which we made all goes when all of it is taken out. */
function removal(before: string | undefined, settings: readonly Setting[], record: FileRecord | undefined): FileResult {
  const isUnchanged = before !== undefined && record?.written === contentHash(before)
  const copied = isUnchanged && record.copy !== undefined ? textOf(record.copy) : undefined
  if (copied !== undefined || (isUnchanged && record.isNew)) return { after: copied, record: undefined }
  const text = settings
    .filter((setting) => isAdded(setting, record))
    .reduceRight((rest, { what, form }) => withoutSetting(rest, form, record?.inserted[what]), before ?? '')
  return {
    after: before === undefined || (text === '' && (record?.isNew ?? before !== '')) ? undefined : text,
    record: undefined,
  }
}

/** True for a setting that `pith setup` added. Without a record of the file, every setting that looks like ours counts. */
export function isAdded({ what }: Setting, record: FileRecord | undefined): boolean {
  return record === undefined || record.inserted[what] !== undefined
}

/** The outermost folder above a file that is not there. */
function missingFolder(file: string): string | undefined {
  const folder = dirname(file)
  return existsSync(folder) ? undefined : (missingFolder(folder) ?? folder)
}

function textOf(file: string): string | undefined {
  try {
    return UTF8.decode(readFileSync(file))
  } catch (error) {
    if (error instanceof TypeError) throw new PithError('bad-argument', `${file} is not written in UTF-8`)
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new PithError('bad-argument', `${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** Bytes of another encoding would be lost when the file is written again. A byte order mark stays. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function inWords<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ConfigProblem) throw new PithError('bad-argument', `${file} ${error.message}`)
    throw error
  }
}

/** The text that was put into a file: enough to remove exactly that. */
type InsertionRecord = Pick<Insertion, 'text' | 'containers'>

/** A text with a setting, and what was put in; undefined where it is on already, or the place is the user's. */
export function withSetting(
  text: string,
  form: SettingForm,
  inserted?: InsertionRecord,
): { readonly text: string; readonly inserted: InsertionRecord } | undefined {
  const standing = stateIn(text, form, inserted)
  if (standing === 'on' || standing === 'other') return undefined
  const renewed = standing === 'outdated' ? form.renewed?.(text) : undefined
  // The file does not have our text as a whole, so a removal goes by the name.
  if (renewed !== undefined && currentSetting(renewed, form) === 'on')
    return { text: renewed, inserted: { text: '', containers: inserted?.containers ?? 0 } }
  const free = standing === 'outdated' ? withoutSetting(text, form, inserted) : text
  const { at, ...made } = form.insertion(free)
  const after = `${free.slice(0, at)}${made.text}${free.slice(at)}`
  if (currentSetting(after, form) !== 'on') throw new ConfigProblem('has a form in which nothing can be added')
  return { text: after, inserted: made }
}

/**
 * A text without a setting: exactly what was put in is cut out, or, where the user has changed that part or written more into
 * it, the setting by its name.
 */
export function withoutSetting(text: string, form: SettingForm, inserted?: InsertionRecord): string {
  const standing = stateIn(text, form, inserted)
  if (standing === 'off' || standing === 'other') return text
  const byName = form.without(text, inserted?.containers ?? 0)
  const at = inserted === undefined ? -1 : text.indexOf(inserted.text)
  if (inserted === undefined || at === -1 || text.indexOf(inserted.text, at + 1) !== -1) return byName
  const cut = text.slice(0, at) + text.slice(at + inserted.text.length)
  return saysTheSame(cut, byName, form) ? cut : byName
}

/** A line that the user wrote under ours would belong to the table above, were only ours cut out. */
function saysTheSame(cut: string, byName: string, form: SettingForm): boolean {
  try {
    return isDeepStrictEqual(form.value(cut), form.value(byName))
  } catch {
    return false
  }
}

/** Undefined where the text can no longer be read. */
function currentSetting(text: string, form: SettingForm): string | undefined {
  try {
    return form.standing(text)
  } catch {
    return undefined
  }
}
