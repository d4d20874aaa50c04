import { type Command, Option } from 'commander'

/** The option `--to` of a command. Loading the formats doubles the time to start, so only this command waits for them. */
export function formatOption(command: Command, description: string): Option {
  const option = new Option('--to <FORMAT>', description)
  command.parent?.hook('preSubcommand', async (_, called) => {
    if (called !== command) return
    const { WRITABLE_FORMATS } = await import('../../formats/formats.ts')
    option.choices(WRITABLE_FORMATS)
  })
  return option
}
