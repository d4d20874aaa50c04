import { fileDiff } from '../../../agent/tools/files/file-diff.ts'
import { programPath } from '../../../config/places/program-path.ts'
import { SECRET_HEADER } from '../../../gateway/access.ts'
import { statusAt } from '../../../gateway/running-gateways.ts'
import { messageOf, PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import { isAgreed } from '../../output/ask.ts'
import { columns, muted, note, print } from '../../output/show.ts'
import { agentProgram } from '../../process/become-program.ts'
import { EXIT, UsageError } from '../../process/exit-codes.ts'
import { evenUnread } from '../../process/interruptible.ts'
import { changeFiles, checkFiles, type FileRecord, noteSetup, readSetupRecord } from './change-files.ts'
import { presentServer, type TeamServer, type TeamSettings } from './server-settings.ts'
import type { SetupFlags } from './setup.ts'
import { type Setting, type SetupAgent, type SetupWorld, setupWorld } from './setup-agent.ts'
import { SETUP_AGENTS } from './setup-agents.ts'
import { isAdded, settingState, setupPlan } from './setup-plan.ts'

/** Shows what changes in an agent's configuration, asks, and changes it. */
export async function setUpAgent(name: string, flags: SetupFlags): Promise<number> {
  const agent = agentNamed(name)
  const isRemoval = flags.remove === true
  const server = await serverIn(flags)
  if (!isRemoval) agentProgram(agent.name, agent.title)
  if (server !== undefined && 'variables' in agent.server) return printVariables(agent.title, agent.server, server.url)
  const settings = settingsOf(agent, flags, server)
  const records = readSetupRecord()
  const changes = setupPlan(settings, records, isRemoval)
  const own = leftAlone(settings, records, isRemoval)
  for (const line of own) note(line)
  if (changes.length === 0) {
    if (flags.dryRun !== true) noteUnchanged(settings, records, isRemoval)
    const why = isRemoval ? `There is nothing of Pith in ${agent.title}.` : `Pith is on in ${agent.title} already.`
    if (own.length === 0) note(why)
    return EXIT.done
  }
  if (flags.dryRun !== true) checkFiles(changes)
  const isAsked = flags.yes !== true && flags.dryRun !== true
  if (isAsked && !(process.stdin.isTTY && process.stderr.isTTY))
    throw new PithError('bad-argument', 'there is no terminal to ask on: look with --dry-run, then use --yes')
  const copies = await evenUnread(async () => {
    for (const { file, before, after } of changes) print(withoutTokens(printable(fileDiff(file, before, after ?? ''))))
    if (
      flags.dryRun === true ||
      (isAsked && !(await isAgreed(`Change ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}?`)))
    )
      return undefined
    return changeFiles(changes, new Date())
  })
  if (copies === undefined) {
    if (isAsked) note('Nothing was changed.')
    return EXIT.done
  }
  for (const copy of copies) note(`The file as it was: ${copy}`)
  for (const line of isRemoval ? [`Pith is off in ${agent.title}.`] : doneLines(agent, settings, server)) note(line)
  return EXIT.done
}

function doneLines({ name, title, next }: SetupAgent, settings: readonly Setting[], server?: TeamServer): string[] {
  const back = `\`pith setup ${name} --remove\` takes it back.`
  if (server === undefined) return [`Pith is on in ${title}. ${back}`, ...(next === undefined ? [] : [next])]
  const token = settings.some(({ isPrivate }) => isPrivate)
    ? 'The token is in that file, which only you can read now.'
    : `${title} takes the token from the variable PITH_TOKEN: set it where ${title} is started.`
  return [`${title} goes through ${server.url}. ${back}`, token]
}

/** The server that the user names, if a gateway answers there to the token. */
async function serverIn({ server: address, token, remove, memory }: SetupFlags): Promise<TeamServer | undefined> {
  if (address === undefined) return undefined
  if (remove === true || memory === true)
    throw new UsageError(
      'bad-argument',
      '--server goes with neither --remove, which takes everything back, nor --memory',
    )
  const { serverOf } = await import('../../../tui/remote/remote-port.ts')
  const server = serverOf(address, token ?? process.env.PITH_TOKEN)
  const url = server.url.replace(/\/+$/, '')
  const status = await statusAt(`${url}/gateway`, server.token)
  if (status === undefined)
    throw new PithError(
      'bad-argument',
      `no gateway answers at ${url} to this token: it must be one that may write and was not removed`,
    )
  return { url, token: server.token, isAnthropic: status.ownAddresses?.includes('anthropic') === true }
}

/** The lines for a shell's profile, for an agent whose files have no place for an address. They have the name of the token, not the token. */
function printVariables(title: string, { variables }: Extract<TeamSettings, { variables: unknown }>, url: string) {
  note(`${title} takes an address only from its environment. These lines go where PITH_TOKEN is set, too:`)
  for (const [name, value] of Object.entries(variables(url))) print(`export ${name}="${value}"`)
  return EXIT.done
}

/** Also one that is taken back, and one of an earlier setup. */
function withoutTokens(diff: string): string {
  return diff.replace(TOKEN, '…')
}

const TOKEN = new RegExp(`(?<=${SECRET_HEADER}: )[^\\s"]+`, 'g')

/**
 * All parts that this command is about. The memory is one only if the user asks for it, now or before. The server is the only new
 * one if the user asks for it; the others that are on belong to it because one copy of a file is kept for all.
 */
function settingsOf(agent: SetupAgent, flags: SetupFlags, server: TeamServer | undefined): readonly Setting[] {
  const world = setupWorld()
  const plain = agent.settings(world)
  const page = agent.memory(world)
  const isOn = (setting: Setting) => settingState(setting) !== 'off'
  const isPageOn = isOn(page)
  if (flags.remove === true) return allSettings(agent, world)
  const present = presentServer(agent.server, world)
  if (server !== undefined) return [...[...plain, page].filter(isOn), ...serverPart(agent, world, server)]
  return [...plain, ...(flags.memory === true || isPageOn ? [page] : []), ...present]
}

/** Everything that Pith may have added to an agent's files. */
export function allSettings(agent: SetupAgent, world: SetupWorld): readonly Setting[] {
  return [...agent.settings(world), agent.memory(world), ...presentServer(agent.server, world)]
}

/** The settings of the providers that the user has not pointed elsewhere. */
function serverPart({ title, server: way }: SetupAgent, world: SetupWorld, server: TeamServer): readonly Setting[] {
  const groups = 'groups' in way ? way.groups(world, server) : []
  const isTaken = (setting: Setting) => !setting.isStale && settingState(setting) === 'other'
  const taken = groups.flatMap((group) => group.filter(isTaken).slice(0, 1))
  if (taken.length === groups.length)
    throw new PithError(
      'bad-argument',
      `${taken[0]?.file} has its own ${taken[0]?.what.replace('server ', '')}: take it out, then ${title} can go through a server`,
    )
  return groups.filter((group) => !group.some((setting) => taken.includes(setting))).flat()
}

function agentNamed(name: string): SetupAgent {
  const agent = SETUP_AGENTS.find((each) => each.name === name)
  const names = SETUP_AGENTS.map((each) => each.name).join(', ')
  if (agent === undefined)
    throw new PithError('bad-argument', `\`${printable(name)}\` is not an agent that Pith knows: ${names}`)
  return agent
}

/** Settings that the user has made stay, also those that are the same as ours. */
function leftAlone(
  settings: readonly Setting[],
  records: Readonly<Record<string, FileRecord>>,
  isRemoval: boolean,
): string[] {
  const isOwn = (setting: Setting) => {
    const state = settingState(setting, records[setting.file])
    return state === 'other' || (isRemoval && state !== 'off' && !isAdded(setting, records[setting.file]))
  }
  return settings.filter(isOwn).map(({ what, file, form }) => {
    const name = form.name === undefined ? '' : ` called \`${form.name}\``
    return `${file} has ${what === 'MCP' ? 'an MCP server' : `a ${what}`}${name} of your own, which stays.`
  })
}

/** A setting that was on before the first setup is not ours to remove later. After a removal nothing is noted any more. */
function noteUnchanged(
  settings: readonly Setting[],
  records: Readonly<Record<string, FileRecord>>,
  isRemoval: boolean,
): void {
  for (const setting of settings) {
    const { file } = setting
    if (isRemoval && records[file] !== undefined) noteSetup(file, undefined)
    if (!isRemoval && records[file] === undefined && settingState(setting) === 'on')
      noteSetup(file, { isNew: false, inserted: {} })
  }
}

/** Prints the agents found here, and what of Pith is on in each. */
export function listSetups(): void {
  const world = setupWorld()
  const records = readSetupRecord()
  const isHere = ({ name }: SetupAgent) => programPath(name, process.env.PATH ?? '') !== undefined
  const rows = SETUP_AGENTS.filter(isHere).map((agent) => [agent.name, agent.title, onText(agent, world, records)])
  if (rows.length > 0) for (const line of columns([['name', 'agent', 'Pith'].map(muted), ...rows])) print(line)
  const missing = SETUP_AGENTS.filter((agent) => !isHere(agent))
  if (missing.length > 0) note(`Not found on the PATH: ${missing.map(({ title }) => title).join(', ')}`)
}

function onText(agent: SetupAgent, world: SetupWorld, records: Readonly<Record<string, FileRecord>>): string {
  try {
    const on = allSettings(agent, world).flatMap((setting) => {
      const standing = settingState(setting, records[setting.file])
      if (standing === 'on') return [setting.what]
      return standing === 'outdated' ? [`${setting.what} of another installation`] : []
    })
    return on.length === 0
      ? 'off'
      : [...new Set(on.map((what) => what.replace(/^hook .*/, 'hooks').replace(/^server .*/, 'server')))].join(', ')
  } catch (error) {
    return messageOf(error)
  }
}
