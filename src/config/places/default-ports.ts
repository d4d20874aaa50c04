/** The ports without a setting. They stand apart from the settings, because the help of the program names them. */
export const DEFAULT_PORTS = { server: 7_484, gateway: 7_485 } as const
