import type { Command } from 'commander'
import { nearest } from '../../../model/problems/problem-text.ts'
import { addSettingFlags, examples, settingFlags } from '../../options/options.ts'

/** `pith config`: the settings, where each comes from, and changing them. */
export function configCommand(pith: Command): void {
  const config = pith
    .command('config')
    .description('show the settings and where each comes from; change them')
    .argument('[command]')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { json }: { json?: true }) => {
      if (name !== undefined) refuseUnknown(config, name)
      const { listConfig } = await import('./config-values.ts')
      listConfig(settingFlags(config), json)
    })
  // The argument exists only so that an unknown command is refused with the nearest one.
  config.usage('[options] [command]').configureHelp({ visibleArguments: () => [] })
  addSettingFlags(config)
  config.addHelpText(
    'after',
    examples(
      'pith config',
      'pith config set policy.trigger_percent 70',
      'pith config get policy.trigger_percent',
      'pith config unset policy.trigger_percent',
    ),
  )
  addReading(config)
  addChanging(config)
}

function addReading(config: Command): void {
  config
    .command('get')
    .description('print one value, or a table of them')
    .argument('<key>')
    .action(async (key: string, _, command: Command) => {
      const { getConfig } = await import('./config-values.ts')
      getConfig(key, settingFlags(command), command.optsWithGlobals().json)
    })
  config
    .command('path')
    .description('print where the user file and the project file are')
    .action(async () => (await import('./config-values.ts')).configPaths())
}

function addChanging(config: Command): void {
  config
    .command('set')
    .description('set a value in the user file')
    .argument('<key>')
    .argument('<value>')
    .action(async (key: string, value: string) => (await import('./config-values.ts')).setConfig(key, value))
  config
    .command('unset')
    .description('remove a value from the user file')
    .argument('<key>')
    .action(async (key: string) => (await import('./config-values.ts')).unsetConfig(key))
  config
    .command('trust')
    .description('let this project’s file set hooks, providers, permissions, store and prompt')
    .action(async () => (await import('./config-values.ts')).trust())
  config
    .command('untrust')
    .description('no longer trust it')
    .action(async () => (await import('./config-values.ts')).untrust())
}

function refuseUnknown(config: Command, name: string): never {
  const meant = nearest(
    name,
    config.commands.map((command) => command.name()),
  )
  return config.error(`error: unknown command '${name}'${meant === undefined ? '' : `\n(Did you mean ${meant}?)`}`)
}
