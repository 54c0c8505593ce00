/** Methods that scripts may call, by name: functions of what they are called on and the arguments. */
export type MethodTable = Readonly<Record<string, (target: never, ...args: never[]) => unknown>>
