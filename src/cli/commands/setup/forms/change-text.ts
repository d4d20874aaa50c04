import { isDeepStrictEqual } from 'node:util'
import { ConfigProblem, type Insertion, type SettingForm } from './setting-form.ts'

/** What was put into a file: enough to take exactly that out again. */
export type InsertionRecord = Pick<Insertion, 'text' | 'containers'>

/** A text with a setting, and what was put in; undefined where it is on already, or the place is the user's. */
export function withSetting(
  text: string,
  form: SettingForm,
  inserted?: InsertionRecord,
): { readonly text: string; readonly inserted: InsertionRecord } | undefined {
  const standing = form.standing(text)
  if (standing === 'on' || standing === 'other') return undefined
  const renewed = standing === 'outdated' ? form.renewed?.(text) : undefined
  // No text of ours stands in the file as a whole, so a removal goes by the name.
  if (renewed !== undefined && standingIn(renewed, form) === 'on')
    return { text: renewed, inserted: { text: '', containers: inserted?.containers ?? 0 } }
  const free = standing === 'outdated' ? withoutSetting(text, form, inserted) : text
  const { at, ...made } = form.insertion(free)
  const after = `${free.slice(0, at)}${made.text}${free.slice(at)}`
  if (standingIn(after, form) !== 'on') throw new ConfigProblem('has a form in which nothing can be added')
  return { text: after, inserted: made }
}

/**
 * A text without a setting: exactly what was put in is cut out, or, where the user has changed that part or written more into
 * it, the setting by its name.
 */
export function withoutSetting(text: string, form: SettingForm, inserted?: InsertionRecord): string {
  const standing = form.standing(text)
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
function standingIn(text: string, form: SettingForm): string | undefined {
  try {
    return form.standing(text)
  } catch {
    return undefined
  }
}
