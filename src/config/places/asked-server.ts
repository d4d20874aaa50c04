import { variablesIn } from '../read/variables-in-text.ts'
import type { McpServerSettings } from '../tables/mcp-settings.ts'

/** A server of a project's `.mcp.json` as the user is asked about it: all that decides what runs and what is sent. */
export type AskedServer = { readonly name: string; readonly lines: readonly string[] }

/** The server in lines. A variable is named and never expanded, so that no secret gets on a screen. */
export function askedServer(
  name: string,
  server: McpServerSettings,
  { workspace, env }: { readonly workspace: string; readonly env: NodeJS.ProcessEnv },
): AskedServer {
  const { command, args = [], url, env: variables = {}, headers = {} } = server
  const from = (text: string) => sourceOf(text, env)
  // The same choice as the connection makes: with an address no program is started.
  if (url !== undefined) {
    const sent = Object.entries(headers).map(([key, value]) => `sends ${quoted(key)}: ${quoted(value)}${from(value)}`)
    return { name, lines: [`connects to ${quoted(url)}${from(url)}`, ...sent] }
  }
  if (command === undefined) return { name, lines: ['starts nothing: it has neither a command nor a url'] }
  const words = [command, ...args]
  const set = Object.entries(variables).map(([key, value]) => `sets ${quoted(key)}=${quoted(value)}${from(value)}`)
  return {
    name,
    lines: [`runs ${words.map(quoted).join(' ')}${from(words.join(' '))}`, `in ${quoted(workspace)}`, ...set],
  }
}

/** One word: in quotes, with every special character as its code, unless nothing in it could be taken for anything else. */
function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return JSON.stringify(text).replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** Spaces other than the ordinary one count as well: no reader could tell where they are. */
const UNSEEN = /[[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]--[ ]]/gv

function sourceOf(text: string, env: NodeJS.ProcessEnv): string {
  const notes = variablesIn(text).map(({ name, otherwise }) => {
    if (env[name] !== undefined) return `${name} comes from your environment`
    return `${name} is not set${otherwise === undefined ? '' : `, so ${quoted(otherwise)} is used`}`
  })
  return notes.length === 0 ? '' : ` (${[...new Set(notes)].join('; ')})`
}
