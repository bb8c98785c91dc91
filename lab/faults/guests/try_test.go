package guests

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"testing"
	"time"
)

func TestTry(t *testing.T) {
	began := time.Now()
	b, err := Up(t.Context(), "/tmp/w14-bed", kinds(t))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("up", time.Since(began))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	<-ctx.Done()
	b.Down()
}
