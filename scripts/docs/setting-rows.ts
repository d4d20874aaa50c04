import { z } from 'zod'
import { needsTrust } from '../../src/config/places/trust.ts'
import { SHORTCUTS } from '../../src/config/tables/shortcuts.ts'
import { snakeCase } from '../../src/model/values.ts'
import { code } from './markdown.ts'
import { type Shape, typeText } from './type-text.ts'

/** A table of the configuration: its path, its schema, and its defaults. */
export type SettingTable = {
  readonly path: readonly string[]
  readonly schema: z.ZodObject
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Keys that have a page or a section of their own. */
  readonly leaveOut?: readonly string[]
}

export const SETTING_HEAD: readonly string[] = ['key', 'type', 'default', 'may be set in', 'meaning']

/** The rows of a table: key, type, default, where it may be set, meaning. A key without a meaning is an error. */
export function settingRows({ path, schema, defaults = {}, leaveOut = [] }: SettingTable): string[][] {
  const shape: Shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rowsOf(shape, { path, inside: [], defaults, leaveOut })
}

type Around = Required<Pick<SettingTable, 'path' | 'defaults' | 'leaveOut'>> & { readonly inside: readonly string[] }

function rowsOf(shape: Shape, { path, inside, defaults, leaveOut }: Around): string[][] {
  return Object.entries(shape.properties ?? {}).flatMap(([key, property]) => {
    const name = [...inside, snakeCase(key)]
    if (typeof property !== 'object' || leaveOut.includes(name.join('.'))) return []
    const { description, properties, default: own } = property
    if (description === undefined) throw new Error(`${[...path, ...name].join('.')} has no meaning: .describe it`)
    const isNeeded = shape.required?.includes(key) === true
    const preset = defaults[key] ?? own ?? (isNeeded ? NEEDED : undefined)
    const row = [code(name.join('.')), typeText(property), valueText(preset), placesOf([...path, ...name]), description]
    const inner = properties === undefined ? [] : rowsOf(property, { path, inside: name, defaults: {}, leaveOut: [] })
    return [row, ...inner]
  })
}

const NEEDED = Symbol('needed')

/** A value as the file writes it. */
export function valueText(value: unknown): string {
  if (value === undefined) return '–'
  if (value === NEEDED) return 'must be set'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : code(`[${value.join(', ')}]`)
  return typeof value === 'object' ? 'none' : code(String(value))
}

function placesOf(path: readonly string[]): string {
  const shortcut = SHORTCUTS.find(({ key }) => key === path.join('.'))
  const project = needsTrust({ path }) ? 'trusted project' : 'project'
  return ['user', project, ...(shortcut === undefined ? [] : [shortcut.variable, shortcut.flag].map(code))].join(', ')
}
