import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { PithError } from '../../../model/problems/errors.ts'
import { withoutSetting, withSetting } from './forms/change-text.ts'
import { ConfigProblem, type SettingState } from './forms/setting-form.ts'
import type { Setting } from './setup-agent.ts'
import type { FileRecord } from './setup-record.ts'

/** How one file is changed. No text: the file is not there, or will not be. */
export type SetupChange = {
  readonly file: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** The outermost folder that was made for it, or will be. */
  readonly newFolder?: string
  /** What is noted once it is written. */
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
    return change.after === before ? [] : [{ file, before, newFolder, ...change, record }]
  })
}

/** How a setting stands in its file now. */
export function settingState({ file, form }: Setting): SettingState {
  return inWords(file, () => form.standing(textOf(file) ?? ''))
}

type FileResult = Pick<SetupChange, 'after' | 'record'>

function addition(
  before: string | undefined,
  settings: readonly Setting[],
  record: FileRecord | undefined,
): FileResult {
  const inserted = { ...record?.inserted }
  let text = before ?? ''
  for (const { what, form } of settings) {
    const made = withSetting(text, form, inserted[what])
    if (made === undefined) continue
    text = made.text
    inserted[what] = made.inserted
  }
  const isNew = record?.isNew ?? before === undefined
  return { after: text === '' ? before : text, record: { isNew, inserted } }
}

/** A file of which we made all goes when all of it is taken out. */
function removal(before: string | undefined, settings: readonly Setting[], record: FileRecord | undefined): FileResult {
  const text = settings.reduceRight(
    (rest, { what, form }) => withoutSetting(rest, form, record?.inserted[what]),
    before ?? '',
  )
  return {
    after: before === undefined || (text === '' && record?.isNew !== false) ? undefined : text,
    record: undefined,
  }
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
