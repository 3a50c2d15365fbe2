// Started by `prepareTimes`. Its name is the language.
new Intl.DateTimeFormat(self.name, { hour: 'numeric', minute: '2-digit' }).format();
self.close();
