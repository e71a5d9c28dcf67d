module mfano.invalid/go

go 1.19
