declare module 'icon:*' {
  const elements: [name: string, attributes: Record<string, string>][];
  export default elements;
}
