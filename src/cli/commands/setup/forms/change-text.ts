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
  const free = standing === 'outdated' ? withoutSetting(text, form, inserted) : text
  const { at, ...made } = form.insertion(free)
  const after = `${free.slice(0, at)}${made.text}${free.slice(at)}`
  if (standingIn(after, form) !== 'on') throw new ConfigProblem('has a form in which nothing can be added')
  return { text: after, inserted: made }
}

/** A text without a setting: exactly what was put in is cut out, or, where the user has changed that part, the setting by its name. */
export function withoutSetting(text: string, form: SettingForm, inserted?: InsertionRecord): string {
  const standing = form.standing(text)
  if (standing === 'off' || standing === 'other') return text
  const at = inserted === undefined ? -1 : text.indexOf(inserted.text)
  if (inserted !== undefined && at !== -1 && text.indexOf(inserted.text, at + 1) === -1) {
    const cut = text.slice(0, at) + text.slice(at + inserted.text.length)
    if (standingIn(cut, form) === 'off') return cut
  }
  return form.without(text, inserted?.containers ?? 0)
}

/** Undefined where the text can no longer be read. */
function standingIn(text: string, form: SettingForm): string | undefined {
  try {
    return form.standing(text)
  } catch {
    return undefined
  }
}
