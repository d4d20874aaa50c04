import { fileDiff } from '../../../agent/tools/files/file-diff.ts'
import { programPath } from '../../../config/places/program-path.ts'
import { messageOf, PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import { isAgreed } from '../../output/ask.ts'
import { columns, muted, note, print } from '../../output/show.ts'
import { agentProgram } from '../../process/become-program.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { evenUnread } from '../../process/interruptible.ts'
import { changeFiles, checkFiles, type FileRecord, noteSetup, readSetupRecord } from './change-files.ts'
import type { SetupFlags } from './setup.ts'
import { type Setting, type SetupAgent, type SetupWorld, setupWorld } from './setup-agent.ts'
import { SETUP_AGENTS } from './setup-agents.ts'
import { isAdded, settingState, setupPlan } from './setup-plan.ts'

/** Shows what changes in an agent's configuration, asks, and changes it. */
export async function setUpAgent(name: string, flags: SetupFlags): Promise<number> {
  const agent = agentNamed(name)
  const isRemoval = flags.remove === true
  if (!isRemoval) agentProgram(agent.name, agent.title)
  const settings = settingsOf(agent, flags)
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
    for (const { file, before, after } of changes) print(printable(fileDiff(file, before, after ?? '')))
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
  note(
    isRemoval
      ? `Pith is off in ${agent.title}.`
      : `Pith is on in ${agent.title}. \`pith setup ${name} --remove\` takes it back.`,
  )
  if (!isRemoval && agent.next !== undefined) note(agent.next)
  return EXIT.done
}

/** The memory is a part only if the user asks for it, now or before. */
function settingsOf({ settings, memory }: SetupAgent, { memory: isWanted, remove }: SetupFlags): readonly Setting[] {
  const world = setupWorld()
  const page = memory(world)
  const isPart = isWanted === true || remove === true || settingState(page) !== 'off'
  return isPart ? [...settings(world), page] : settings(world)
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
    const state = settingState(setting)
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
  const isHere = ({ name }: SetupAgent) => programPath(name, process.env.PATH ?? '') !== undefined
  const rows = SETUP_AGENTS.filter(isHere).map((agent) => [agent.name, agent.title, onText(agent, world)])
  if (rows.length > 0) for (const line of columns([['name', 'agent', 'Pith'].map(muted), ...rows])) print(line)
  const missing = SETUP_AGENTS.filter((agent) => !isHere(agent))
  if (missing.length > 0) note(`Not found on the PATH: ${missing.map(({ title }) => title).join(', ')}`)
}

function onText(agent: SetupAgent, world: SetupWorld): string {
  try {
    const on = [...agent.settings(world), agent.memory(world)].flatMap((setting) => {
      const standing = settingState(setting)
      if (standing === 'on') return [setting.what]
      return standing === 'outdated' ? [`${setting.what} of another installation`] : []
    })
    return on.length === 0 ? 'off' : [...new Set(on.map((what) => what.replace(/^hook .*/, 'hooks')))].join(', ')
  } catch (error) {
    return messageOf(error)
  }
}
