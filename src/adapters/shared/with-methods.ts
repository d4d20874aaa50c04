/** The very object, but that some of its methods are others. */
export function withMethods<T extends object>(of: T, methods: object): T {
  return new Proxy(of, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name)
      // Not through the proxy: a class may keep what is private in fields that only its own objects have.
      const value: unknown = Reflect.get(target, name, target)
      // A class that is bound has another name, and frameworks look at it.
      return typeof value === 'function' && name !== 'constructor' ? value.bind(target) : value
    },
  })
}
