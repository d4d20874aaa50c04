import { join } from 'node:path'
import { z } from 'zod'
import { jsonProblem } from '../../model/problems/json-problem.ts'
import { issueText, problemOf } from '../../model/problems/parse.ts'
import { readUnasked } from '../read/read-unasked.ts'
import { variablesIn, withVariables } from '../read/variables-in-text.ts'
import { type McpServerSettings, mcpName } from '../tables/mcp-settings.ts'
import { rememberAnswer, type TrustAnswer, trustAnswer } from './trust.ts'

/** The description of a server of a project's `.mcp.json` in the question to the user: everything that it runs and sends. */
type AskedServer = { readonly name: string; readonly lines: readonly string[] }

/** Describes a server in lines. A variable is named but never expanded, so that no secret is shown. */
export function askedServer(
  name: string,
  server: McpServerSettings,
  { workspace, env }: { readonly workspace: string; readonly env: NodeJS.ProcessEnv },
): AskedServer {
  const { command, args = [], url, env: variables = {}, headers = {} } = server
  const from = (text: string) => sourceOf(text, env)
  // The connection makes the same choice: if there is an address, no program is started.
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

/** A word that cannot be misread: in quotes and with codes for invisible characters, unless it has only plain characters. */
function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return JSON.stringify(text).replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** Invisible characters. Spaces other than the ordinary one count as well, because a reader could not recognise them. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]--[ ]]/gv

function sourceOf(text: string, env: NodeJS.ProcessEnv): string {
  const notes = variablesIn(text).map(({ name, otherwise }) => {
    if (env[name] !== undefined) return `${name} comes from your environment`
    return `${name} is not set${otherwise === undefined ? '' : `, so ${quoted(otherwise)} is used`}`
  })
  return notes.length === 0 ? '' : ` (${[...new Set(notes)].join('; ')})`
}

/** The servers in a project's `.mcp.json`. They are not the user's own programs, so the user is asked once. */
export type ProjectMcp = {
  readonly file: string
  /** The text of the file: command, arguments, environment, headers and address of each server. An answer is for this text only. */
  readonly text: string
  /** Empty if the file cannot be read: `why` has the reason. */
  readonly servers: Readonly<Record<string, McpServerSettings>>
  /** The same servers for the question, without the values of variables. */
  readonly asked: readonly AskedServer[]
  /** Undefined until the user has answered for exactly this text. */
  readonly answer: TrustAnswer | undefined
  readonly why?: string
}

const serverSchema = z.looseObject({
  type: z.string().optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
})
/** A server in the file, before its variables are replaced. */
type ProjectServer = z.infer<typeof serverSchema>

const fileSchema = z.looseObject({ mcpServers: z.record(mcpName, serverSchema) })

/** The `.mcp.json` of a workspace; undefined if there is none. */
export function projectMcp(workspace: string, env: NodeJS.ProcessEnv): ProjectMcp | undefined {
  const file = join(workspace, '.mcp.json')
  const found = readUnasked(file, { inside: workspace })
  if (found.kind === 'missing') return undefined
  const none = { file, text: '', servers: {}, asked: [], answer: undefined }
  if (found.kind === 'refused') return { ...none, why: `${file} is not read: ${found.why}` }
  const broken = jsonProblem(found.text)
  if (broken !== undefined)
    return { ...none, why: `${file}:${broken.line}:${broken.column} is not JSON: ${broken.text}` }
  const parsed = fileSchema.safeParse(JSON.parse(found.text), { error: issueText })
  if (!parsed.success) {
    const { path, text } = problemOf(parsed.error, () => [])
    return { ...none, why: `${file} is not read: ${[path.join('.'), text].filter((part) => part !== '').join(': ')}` }
  }
  const named = Object.entries(parsed.data.mcpServers)
  return {
    file,
    text: found.text,
    servers: Object.fromEntries(named.map(([name, server]) => [name, expanded(server, env)])),
    asked: named.map(([name, server]) => askedServer(name, server, { workspace, env })),
    answer: trustAnswer(file, found.text, env),
  }
}

/** Remembers the user's answer for the text that was shown. If the file has changed since, the user is asked again. */
export function answerProjectMcp(
  { file, text }: Pick<ProjectMcp, 'file' | 'text'>,
  answer: TrustAnswer,
  env: NodeJS.ProcessEnv,
): void {
  rememberAnswer(file, text, answer, env)
}

function expanded(server: ProjectServer, env: NodeJS.ProcessEnv): McpServerSettings {
  const { command, args, url } = server
  const text = (value: string) => withVariables(value, env)
  const table = (values: Readonly<Record<string, string>> | undefined) =>
    values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]))
  return {
    ...(command === undefined ? {} : { command: text(command) }),
    ...(args === undefined ? {} : { args: args.map(text) }),
    ...(url === undefined ? {} : { url: text(url) }),
    env: table(server.env),
    headers: table(server.headers),
    fromEnvironment: valuesFrom(server, env),
  }
}

/** The variables that the server takes from the user's environment, with their values. */
function valuesFrom(
  { command = '', args = [], url = '', env: set = {}, headers = {} }: ProjectServer,
  env: NodeJS.ProcessEnv,
) {
  const texts = [command, ...args, url, ...Object.values(set), ...Object.values(headers)]
  const names = texts.flatMap(variablesIn).map(({ name }) => name)
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
