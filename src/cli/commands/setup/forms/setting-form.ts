/** A setting of ours in the text of a configuration file. The text is edited in ranges: comments and layout stay. */
export type SettingForm = {
  /** `other`: the place is taken by something that is not ours. It throws `ConfigProblem` where the text cannot be read. */
  readonly standing: (text: string) => SettingState
  /** Where the setting goes into a text in which it is off. */
  readonly insertion: (text: string) => Insertion
  /** The text without the setting, and without the `containers` that were made for it. */
  readonly without: (text: string, containers: number) => string
  /** An outdated setting, updated at its place if the user has added to it; undefined if it is added again. */
  readonly renewed?: (text: string) => string | undefined
  /** The data of the whole text, whatever its layout. */
  readonly value: (text: string) => unknown
}

export type SettingState = 'on' | 'off' | 'outdated' | 'other'

/** A text that is put into another one, and how many containers it makes beside the setting. */
export type Insertion = { readonly at: number; readonly text: string; readonly containers: number }

/** Why a file cannot be changed, in words that follow its name. */
export class ConfigProblem extends Error {}
