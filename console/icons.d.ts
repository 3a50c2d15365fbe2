declare module '*.svg?icon' {
  const elements: [name: string, attributes: Record<string, string>][];
  export default elements;
}
